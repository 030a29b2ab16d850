(* Statement: theta_j <= Q^-j <= [(K - 2 + theta_j) / (K - 1)]^(K - 1), and when either holds with equality.
   Source: Williams (2024), section 1, eq. (4) to (8). Python: nbcore.one_hot.q_factor, nbcore.one_hot.q_bounds.
   K values are numbered 0 .. K-1. The upper bound divides by K - 1: every theorem about it has 2 <= K. *)
From NB Require Import Finite.

Definition simplex (K : nat) (theta : nat -> R) : Prop :=
  (forall k, (k < K)%nat -> 0 <= theta k) /\ sum K theta = 1.

(* eq. (4): Q^-j(theta) = prod over k <> j of (1 - theta_k) *)
Definition Q (K j : nat) (theta : nat -> R) : R := prod K (but j 1 (fun k => 1 - theta k)).

(* eq. (8): [(K - 2 + theta_j) / (K - 1)]^(K - 1) *)
Definition upper (K : nat) (t : R) : R := ((INR K - 2 + t) / (INR K - 1)) ^ (K - 1).

Lemma simplex_le_1 K theta : simplex K theta -> forall k, (k < K)%nat -> 0 <= theta k <= 1.
Proof.
  intros [P S] k Hk. split; auto. rewrite (sum_apart K k) in S by auto.
  enough (0 <= sum K (but k 0 theta)) by lra. apply sum_nonneg; intros i Hi. at_index i k; auto.
Qed.

Lemma weierstrass n x : (forall k, (k < n)%nat -> 0 <= x k <= 1) -> 1 - sum n x <= prod n (fun k => 1 - x k).
Proof.
  intros H. enough (1 - sum n x <= prod n (fun k => 1 - x k) <= 1) by lra.
  induction n; simpl; [lra|]. specialize (IHn ltac:(auto)). destruct (H n ltac:(auto)).
  assert (0 <= prod n (fun k => 1 - x k)) by (apply prod_nonneg; intros k Hk; destruct (H k); auto; lra). nra.
Qed.

Lemma Q_as_product K j theta : Q K j theta = prod K (fun k => 1 - but j 0 theta k).
Proof. apply prod_ext. intros k Hk. at_index k j. Qed.

(* eq. (8), lower bound: theta_j <= Q^-j. *)
Theorem Q_lower_bound K j theta : simplex K theta -> (j < K)%nat -> theta j <= Q K j theta.
Proof.
  intros S Hj. pose proof (simplex_le_1 _ _ S) as B. destruct S as [_ One]. rewrite (sum_apart K j) in One by auto.
  rewrite Q_as_product. pose proof (weierstrass K (but j 0 theta)) as W.
  apply Rle_trans with (1 - sum K (but j 0 theta)); [lra|]. apply W. intros k Hk. at_index k j; auto.
Qed.

(* "The minimum values occur in the corners": equality exactly if at most one of the other thetas is not zero. *)
Theorem Q_lower_bound_iff K j theta : simplex K theta -> (j < K)%nat ->
  (Q K j theta = theta j <->
   forall k m, (k < K)%nat -> (m < K)%nat -> k <> j -> m <> j -> k <> m -> theta k = 0 \/ theta m = 0).
Proof.
  intros S Hj. pose proof (simplex_le_1 _ _ S) as B. destruct S as [_ One]. rewrite (sum_apart K j) in One by auto.
  rewrite Q_as_product. set (x := but j 0 theta) in *. split.
  - intros E k m Hk Hm Kj Mj KM. destruct (Req_dec (theta k) 0), (Req_dec (theta m) 0); auto. exfalso.
    set (y := but m 0 (but k 0 x)).
    assert (W : 1 - sum K y <= prod K (fun i => 1 - y i)).
    { apply weierstrass. intros i Hi. unfold y. at_index i m. at_index i k. unfold x. at_index i j; auto. }
    rewrite (sum_apart K k), (sum_apart K m (but k 0 x)) in One by auto. fold y in One.
    rewrite (prod_apart K k), (prod_apart K m) in E by auto.
    rewrite (prod_ext K _ (fun i => 1 - y i)) in E by (intros i Hi; unfold y; at_index i m; at_index i k).
    assert (X : x k = theta k) by (unfold x; at_index k j). rewrite X in *.
    assert (Y : but k 0 x m = theta m) by (at_index m k; unfold x; at_index m j). rewrite Y in *.
    assert (Z : but k 1 (fun i => 1 - x i) m = 1 - theta m) by (unfold x; at_index m k; at_index m j). rewrite Z in *.
    pose proof (B j Hj). pose proof (B k Hk). pose proof (B m Hm).
    assert (0 <= sum K y) by (apply sum_nonneg; intros i Hi; unfold y; at_index i m; at_index i k;
      unfold x; at_index i j; apply B; auto).
    assert (0 < theta k * theta m) by nra. nra.
  - intros H. destruct (zero_or_not K x) as [Z|[m [Hm N]]].
    + rewrite (sum_zero K x Z) in One. rewrite prod_one; [lra|]. intros k Hk. rewrite Z; auto; lra.
    + assert (Mj : m <> j) by (intros ->; apply N; unfold x; at_index j j).
      assert (X : x m = theta m) by (unfold x; at_index m j).
      assert (Z : forall k, (k < K)%nat -> but m 0 x k = 0).
      { intros k Hk. at_index k m. unfold x. at_index k j. destruct (H k m); auto. congruence. }
      rewrite (sum_apart K m), (sum_zero K _ Z) in One by auto. rewrite (prod_apart K m) by auto.
      rewrite prod_one; [lra|]. intros k Hk. specialize (Z k Hk). revert Z. at_index k m; lra.
Qed.

(* K = 2: both bounds are theta_j, and so is Q^-j. *)
Theorem Q_at_two_values j theta : simplex 2 theta -> (j < 2)%nat -> Q 2 j theta = theta j.
Proof. intros [_ One] Hj. simpl in One. unfold Q, but. destruct j as [|[|]]; simpl; lra || lia. Qed.

Lemma upper_at_two_values t : upper 2 t = t.
Proof. unfold upper. simpl. field. Qed.

(* The arithmetic and the geometric mean, by 1 + x <= exp x at every factor over the mean A. *)
Lemma centre_product K j theta (A := (INR K - 2 + theta j) / (INR K - 1)) :
  simplex K theta -> (j < K)%nat -> (2 <= K)%nat -> 0 < A ->
  prod K (but j 1 (fun k => A * exp ((1 - theta k) / A - 1))) = A ^ (K - 1).
Proof.
  intros [_ One] Hj HK HA. set (e := fun k => (1 - theta k) / A - 1).
  rewrite (prod_ext K _ (fun k => but j 1 (fun _ => A) k * exp (but j 0 e k))).
  2: { intros k Hk. unfold e. at_index k j. rewrite exp_0. ring. }
  rewrite prod_mult, prod_exp. assert (KR : 2 <= INR K) by (apply (le_INR 2); auto).
  assert (E : sum K (but j 0 e) = 0).
  { enough (sum K e = e j) by (rewrite (sum_apart K j) in H; auto; lra).
    rewrite (sum_ext K e (fun k => (/ A - 1) - / A * theta k)) by (intros; unfold e; field; lra).
    rewrite sum_minus, sum_const, sum_scale, One. unfold e. replace (INR K) with ((INR K - 1) + 1) by ring.
    assert (T : theta j = A * (INR K - 1) - INR K + 2) by (unfold A; field; lra). rewrite T. field. lra. }
  rewrite E, exp_0, Rmult_1_r. apply (Rmult_eq_reg_l A); [|lra].
  rewrite <- (prod_apart K j (fun _ => A)), prod_const by auto. destruct K; [lia|]. simpl. rewrite Nat.sub_0_r. auto.
Qed.

Lemma below_exp A a : 0 < A -> a <= A * exp (a / A - 1) /\ (a <> A -> a < A * exp (a / A - 1)).
Proof.
  intros HA. assert (E : A * (1 + (a / A - 1)) = a) by (field; lra). split.
  - rewrite <- E at 1. apply Rmult_le_compat_l; [lra|]. apply exp_ineq1_le.
  - intros N. rewrite <- E at 1. apply Rmult_lt_compat_l; auto. apply exp_ineq1.
    intros Z. apply N. rewrite <- E, Z. ring.
Qed.

(* eq. (8), upper bound, and "the maximum in the centre": equality exactly if all other thetas are equal. *)
Theorem Q_upper_bound K j theta : simplex K theta -> (j < K)%nat -> (2 <= K)%nat ->
  Q K j theta <= upper K (theta j) /\
  (Q K j theta = upper K (theta j) <-> forall k, (k < K)%nat -> k <> j -> theta k = (1 - theta j) / (INR K - 1)).
Proof.
  intros S Hj HK. pose proof (simplex_le_1 _ _ S) as B.
  destruct (Nat.eq_dec K 2) as [->|N].
  { rewrite upper_at_two_values, Q_at_two_values; auto. split; [lra|]. split; auto. intros _ k Hk Kj.
  destruct S as [_ One].
    simpl in *. replace (1 + 1 - 1) with 1 by ring. destruct j as [|[|]], k as [|[|]]; lia || lra. }
  assert (KR : 3 <= INR K) by (replace 3 with (INR 3) by (simpl; lra); apply le_INR; lia).
  pose (A := (INR K - 2 + theta j) / (INR K - 1)).
  assert (HA : 0 < A) by (pose proof (B j Hj); apply Rdiv_lt_0_compat; lra).
  assert (T : forall k, theta k = (1 - theta j) / (INR K - 1) <-> 1 - theta k = A).
  { intros k. unfold A. replace ((INR K - 2 + theta j) / (INR K - 1)) with (1 - (1 - theta j) / (INR K - 1));
      [lra|field; lra]. }
  pose proof (centre_product K j theta S Hj HK HA) as C. fold A in C.
  unfold upper. fold A. rewrite <- C. unfold Q. split; [|split].
  - apply prod_le. intros k Hk. pose proof (B k Hk). at_index k j. split; [lra|]. apply below_exp; auto.
  - intros E k Hk Kj. apply T. destruct (Req_dec (1 - theta k) A) as [|NE]; auto. exfalso.
    enough (prod K (but j 1 (fun k => 1 - theta k)) <
            prod K (but j 1 (fun k => A * exp ((1 - theta k) / A - 1)))) by lra.
    apply prod_lt with k; auto.
    + intros i Hi. pose proof (B i Hi). pose proof (exp_pos ((1 - theta i) / A - 1)).
      at_index i j. destruct (below_exp A (1 - theta i) HA). split; [lra|nra].
    + at_index k j. apply below_exp; auto.
  - intros E. apply prod_ext. intros k Hk. at_index k j.
    assert (Ek : 1 - theta k = A) by (apply T, E; auto). rewrite Ek.
    replace (A / A - 1) with 0 by (field; lra). rewrite exp_0. ring.
Qed.
