(* Statement: f_j and the ratio f_jc / f_jd of two classes lie between bounds, and above a threshold for theta_jc the
   ratio is certainly more extreme than theta_jc / theta_jd. Source: Williams (2024), section 2, eq. (1), (9) to (14).
   Python: nbcore.one_hot.f_factor, nbcore.one_hot.f_bounds, nbcore.one_hot.f_ratio_bounds,
   nbcore.one_hot.extremeness_threshold, nbcore.one_hot.sparse_f_ratio. Ratios need theta_jd > 0 (Coq defines x / 0). *)
From NB Require Import Finite OneHot.

(* eq. (1): f_j = theta_j Q^-j *)
Definition f (K j : nat) (theta : nat -> R) : R := theta j * Q K j theta.

(* eq. (9), (10) *)
Theorem f_bounds K j theta : simplex K theta -> (j < K)%nat -> (2 <= K)%nat ->
  theta j ^ 2 <= f K j theta <= theta j * upper K (theta j).
Proof.
  intros S Hj HK. pose proof (Q_lower_bound K j theta S Hj). destruct (Q_upper_bound K j theta S Hj HK) as [U _].
  destruct (simplex_le_1 K theta S j Hj). unfold f. split; nra.
Qed.

(* At K = 2 one-hot encoding squares the odds: eq. (14) is exact. *)
Theorem odds_square_at_two_values j c d : simplex 2 c -> simplex 2 d -> (j < 2)%nat -> 0 < d j ->
  f 2 j c / f 2 j d = (c j / d j) ^ 2.
Proof. intros C D Hj P. unfold f. rewrite !Q_at_two_values; auto. field. lra. Qed.

(* A bound without K, for f_sums_to_at_most_one *)
Lemma Q_below_exp K j theta : simplex K theta -> (j < K)%nat -> Q K j theta <= exp (theta j - 1).
Proof.
  intros S Hj. pose proof (simplex_le_1 K theta S) as B. destruct S as [_ One]. rewrite (sum_apart K j) in One by auto.
  replace (theta j - 1) with (sum K (fun k => - 1 * but j 0 theta k)) by (rewrite sum_scale; lra).
  rewrite <- prod_exp, Q_as_product. apply prod_le. intros k Hk.
  pose proof (exp_ineq1_le (- 1 * but j 0 theta k)) as E. split; [|lra].
  at_index k j. destruct (B k Hk). lra.
Qed.

(* The f_j sum to at most 1, and to 1 only where one theta is 1: docstring of f_factor. *)
Theorem f_sums_to_at_most_one K theta : simplex K theta -> sum K (fun j => f K j theta) <= 1 /\
  (sum K (fun j => f K j theta) = 1 <-> exists j, (j < K)%nat /\ theta j = 1).
Proof.
  intros S. pose proof (simplex_le_1 K theta S) as B. assert (One := proj2 S).
  assert (L : forall k, (k < K)%nat -> 0 <= f K k theta <= theta k /\ (theta k <> 0 -> theta k <> 1 ->
    f K k theta < theta k)).
  { intros k Hk. pose proof (Q_lower_bound K k theta S Hk). pose proof (Q_below_exp K k theta S Hk). unfold f.
    destruct (B k Hk). destruct (Req_dec (theta k) 1) as [E|N].
    - rewrite E, Rminus_eq_0, exp_0 in *. split; [nra|lra].
    - assert (T := exp_increasing (theta k - 1) 0 ltac:(lra)). rewrite exp_0 in T. split; [nra|intros; nra]. }
  split; [|split].
  - rewrite <- One. apply sum_le. intros k Hk. apply L; auto.
  - intros E. destruct (zero_or_not K theta) as [Z|[j [Hj N]]]; [rewrite sum_zero in One; auto; lra|].
    exists j. split; auto. destruct (Req_dec (theta j) 1) as [|N1]; auto. exfalso.
    enough (sum K (fun j => f K j theta) < sum K theta) by lra.
    apply sum_lt with j; auto; [intros k Hk|]; apply L; auto.
  - intros [j [Hj E]]. apply Rle_antisym; [rewrite <- One; apply sum_le; intros; apply L; auto|].
    rewrite (sum_apart K j) by auto. pose proof (Q_lower_bound K j theta S Hj).
    assert (0 <= sum K (but j 0 (fun j => f K j theta))) by (apply sum_nonneg; intros k Hk; at_index k j; apply L;
      auto).
    unfold f at 1. rewrite E in *. lra.
Qed.

(* eq. (11): between a and b > a both bounds grow by a larger factor than theta. Needs a > 0. *)
Theorem f_bounds_grow_faster K a b : (2 <= K)%nat -> 0 < a -> a < b ->
  b ^ 2 / a ^ 2 > b / a /\ b * upper K b / (a * upper K a) > b / a.
Proof.
  intros HK A AB. assert (KR : 2 <= INR K) by (apply (le_INR 2); auto).
  assert (U : 0 < upper K a < upper K b).
  { unfold upper. split; [apply pow_lt, Rdiv_lt_0_compat; lra|].
    destruct K as [|[|n]]; try lia. simpl (S (S n) - 1)%nat.
    assert (L : 0 < (INR (S (S n)) - 2 + a) / (INR (S (S n)) - 1) < (INR (S (S n)) - 2 + b) / (INR (S (S n)) - 1)).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra. }
    revert L. generalize ((INR (S (S n)) - 2 + a) / (INR (S (S n)) - 1)), ((INR (S (S n)) - 2 + b) / (INR (S (S n)) -
      1)).
    intros x y [X Y]. clear - X Y. induction n; simpl in *; [lra|]. assert (0 < x * x ^ n) by (apply
      Rmult_lt_0_compat, pow_lt; auto).
    apply Rmult_le_0_lt_compat; lra. }
  assert (R : forall x y, 0 < x < y -> b * y / (a * x) > b / a).
  { intros x y H. replace (b * y / (a * x)) with (b / a * (y / x)) by (field; lra).
    assert (0 < b / a) by (apply Rdiv_lt_0_compat; lra).
    assert (1 < y / x) by (apply (Rmult_lt_reg_r x); [|unfold Rdiv; rewrite Rmult_assoc, Rinv_l]; lra). nra. }
  split; [|apply R; auto]. replace (b ^ 2 / a ^ 2) with (b * b / (a * a)) by (field; lra). apply R; lra.
Qed.

Section TwoClasses.
Variables (K j : nat) (c d : nat -> R).
Hypotheses (C : simplex K c) (D : simplex K d) (Hj : (j < K)%nat) (HK : (2 <= K)%nat) (P : 0 < d j).

(* The ratio grows exactly if Q^-j of class c is above Q^-j of class d. *)
Theorem ratio_grows_iff : 0 < c j -> (f K j c / f K j d > c j / d j <-> Q K j c > Q K j d).
Proof.
  intros PC. pose proof (Q_lower_bound K j d D Hj). unfold f.
  replace (c j * Q K j c / (d j * Q K j d)) with (c j / d j * (Q K j c / Q K j d)) by (field; lra).
  assert (0 < c j / d j) by (apply Rdiv_lt_0_compat; lra).
  assert (E : Q K j c = Q K j c / Q K j d * Q K j d) by (field; lra). split; intros H1.
  - assert (1 < Q K j c / Q K j d) by nra. nra.
  - assert (1 < Q K j c / Q K j d) by (apply (Rmult_lt_reg_r (Q K j d)); lra). nra.
Qed.

(* eq. (12), printed with ">", and the upper bound that stands below eq. (13) *)
Theorem f_ratio_bounds :
  c j ^ 2 / (d j * upper K (d j)) <= f K j c / f K j d <= c j * upper K (c j) / d j ^ 2.
Proof.
  destruct (f_bounds K j c C Hj HK), (f_bounds K j d D Hj HK). assert (0 < d j ^ 2) by nra.
  assert (0 <= c j ^ 2) by apply pow2_ge_0.
  split; apply Rmult_le_compat; try lra; try (apply Rinv_le_contravar; lra); left; apply Rinv_0_lt_compat; lra.
Qed.

(* eq. (13): above this threshold the ratio is certainly more extreme, that is, further above 1. *)
Theorem ratio_exceeds_above_threshold : c j > upper K (d j) -> f K j c / f K j d > c j / d j /\ c j / d j > 1.
Proof.
  intros T. destruct (Q_upper_bound K j d D Hj HK) as [U _]. pose proof (Q_lower_bound K j c C Hj).
  pose proof (Q_lower_bound K j d D Hj).
  split; [apply ratio_grows_iff; lra|]. apply (Rmult_lt_reg_r (d j)); auto. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.
End TwoClasses.
