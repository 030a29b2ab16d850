(* Statement: a root of the whole numerator keeps every decision of naive Bayes, a root of the likelihood may not.
   Source: Carlos (2015), sections 4.4 and 4.5, eq. (4), (8), (19), (20). Python:
   nbcore.perplexed.attenuated_posterior, rules "approximate" (eq. 20) and "exact" (eq. 19). *)
From NB Require Import Finite.

(* x^e for x >= 0 and e > 0. Coq's Rpower x e is exp (e ln x) with ln 0 = 0, so that Rpower 0 e = 1. *)
Definition power (x e : R) : R := if Req_EM_T x 0 then 0 else Rpower x e.

Lemma power_nonneg x e : 0 <= power x e.
Proof. unfold power. destruct (Req_EM_T x 0); [lra|]. left. apply exp_pos. Qed.

Lemma power_1 x : 0 <= x -> power x 1 = x.
Proof. unfold power. destruct (Req_EM_T x 0); intros; [lra|apply Rpower_1; lra]. Qed.

Lemma power_lt x y e : 0 < e -> 0 <= x -> x < y -> power x e < power y e.
Proof.
  intros E X XY. unfold power. destruct (Req_EM_T y 0); [lra|]. destruct (Req_EM_T x 0); [apply exp_pos|].
  apply Rlt_Rpower_l; lra.
Qed.

Lemma power_le_iff x y e : 0 < e -> 0 <= x -> 0 <= y -> (x <= y <-> power x e <= power y e).
Proof.
  intros E X Y. split; intros L.
  - destruct L as [L|<-]; [left; apply power_lt; auto|lra].
  - apply Rnot_lt_le. intros G. apply (power_lt y x e) in G; auto; lra.
Qed.

(* Class b has a largest value: a decision for b is allowed. All tied classes have one. *)
Definition decides (C : nat) (p : nat -> R) (b : nat) : Prop := (b < C)%nat /\ forall c, (c < C)%nat -> p c <= p b.
Definition normalised (C : nat) (s : nat -> R) (c : nat) : R := s c / sum C s.

Lemma normalised_decides C s b : 0 < sum C s -> (decides C (normalised C s) b <-> decides C s b).
Proof.
  intros P. apply Rinv_0_lt_compat in P. unfold decides, normalised, Rdiv.
  split; intros [B H]; split; auto; intros c Hc; specialize (H c Hc); nra.
Qed.

Section OneItem.
Variables (C : nat) (likelihood prior : nat -> R).
Hypotheses (L : forall c, (c < C)%nat -> 0 <= likelihood c) (P : forall c, (c < C)%nat -> 0 <= prior c).
Let joint c := likelihood c * prior c.

Definition eq_4 := normalised C joint.
Definition eq_20 (k n : R) := normalised C (fun c => power (joint c) (k / (n + 1))).
Definition eq_19 (k n : R) := normalised C (fun c => power (likelihood c) (k / n) * prior c).

Lemma joint_nonneg c : (c < C)%nat -> 0 <= joint c.
Proof. intros; apply Rmult_le_pos; auto. Qed.

Lemma sum_power_pos e : 0 < sum C joint -> 0 < sum C (fun c => power (joint c) e).
Proof.
  intros S. destruct (zero_or_not C joint) as [Z|[c [Hc N]]]; [rewrite sum_zero in S; auto; lra|].
  rewrite (sum_apart C c) by auto.
  assert (0 <= sum C (but c 0 (fun c => power (joint c) e))) by
    (apply sum_nonneg; intros i Hi; at_index i c; apply power_nonneg).
  assert (0 < power (joint c) e); [|lra]. unfold power. destruct (Req_EM_T (joint c) 0); [lra|apply exp_pos].
Qed.

(* Below eq. (20): "makes classification decisions ... in exactly the same way as Equation 4", ties and zeros
   included, for any k > 0 and any number n >= 0 of features, unless every class has joint probability 0. *)
Theorem eq_20_keeps_decisions k n b : 0 < k -> 0 <= n -> 0 < sum C joint ->
  (decides C (eq_20 k n) b <-> decides C eq_4 b).
Proof.
  intros K N S. assert (E : 0 < k / (n + 1)) by (apply Rdiv_lt_0_compat; lra).
  unfold eq_20, eq_4. rewrite !normalised_decides by auto using sum_power_pos.
  split; intros [B H]; split; auto; intros c Hc; specialize (H c Hc); revert H; apply power_le_iff;
    auto using joint_nonneg.
Qed.

(* Docstring of attenuated_posterior: eq. (20) is naive Bayes at k = n + 1. *)
Theorem eq_20_is_naive_bayes n c : 0 <= n -> (c < C)%nat -> eq_20 (n + 1) n c = eq_4 c.
Proof.
  intros N Hc. unfold eq_20, eq_4, normalised. replace ((n + 1) / (n + 1)) with 1 by (field; lra).
  rewrite power_1, (sum_ext C _ joint); auto using joint_nonneg. intros b Hb. apply power_1, joint_nonneg; auto.
Qed.

(* Docstring of attenuated_posterior and section 4.4: eq. (19) is naive Bayes at k = n. *)
Theorem eq_19_is_naive_bayes n c : 0 < n -> (c < C)%nat -> eq_19 n n c = eq_4 c.
Proof.
  intros N Hc. unfold eq_19, eq_4, normalised. replace (n / n) with 1 by (field; lra).
  rewrite power_1, (sum_ext C _ joint); auto. intros b Hb. rewrite power_1; auto.
Qed.

(* Exercise of chapter 05, "with less confidence": the smaller the exponent k / (n + 1) of eq. (20), the smaller the
   posterior of the class that is decided for, if another class is less probable but possible. *)
Theorem smaller_exponents_are_less_sure b d e (sure := fun e => normalised C (fun c => power (joint c) e) b) :
  0 < d -> d <= e -> decides C joint b -> 0 < sum C joint ->
  sure d <= sure e /\ (d < e -> (exists c, (c < C)%nat /\ 0 < joint c < joint b) -> sure d < sure e).
Proof.
  intros D DE [B H] S. assert (PB : 0 < joint b).
  { apply Rnot_le_lt. intros Z. enough (sum C joint <= INR C * 0) by lra. rewrite <- sum_const.
    apply sum_le. intros c Hc. specialize (H c Hc). lra. }
  assert (T : forall c, (c < C)%nat -> power (joint b) d * power (joint c) e <= power (joint b) e * power (joint c) d /\
    (d < e -> 0 < joint c < joint b -> power (joint b) d * power (joint c) e < power (joint b) e * power (joint c) d)).
  { intros c Hc. pose proof (joint_nonneg c Hc). specialize (H c Hc). unfold power.
    destruct (Req_EM_T (joint b) 0); [lra|]. destruct (Req_EM_T (joint c) 0); [lra|].
    unfold Rpower. rewrite <- !exp_plus. split; [|intros DL [PC L0]; apply exp_increasing;
      assert (ln (joint c) < ln (joint b)) by (apply ln_increasing; lra); nra].
    assert (ln (joint c) <= ln (joint b)) by (destruct H as [H| ->]; [left; apply ln_increasing|]; lra).
    assert (d * ln (joint b) + e * ln (joint c) <= e * ln (joint b) + d * ln (joint c)) as [I| ->] by nra;
      [left; apply exp_increasing|]; lra. }
  unfold sure, normalised. set (sd := sum C (fun c => power (joint c) d)). set (se :=
    sum C (fun c => power (joint c) e)).
  assert (SD : 0 < sd) by (apply sum_power_pos; auto). assert (SE : 0 < se) by (apply sum_power_pos; auto).
  assert (R : forall x y, x * se < y * sd -> x / sd < y / se).
  { intros x y I. apply (Rmult_lt_reg_r (sd * se)); [apply Rmult_lt_0_compat; auto|]. field_simplify; lra. }
  split; [apply Rnot_lt_le; intros I; apply (Rmult_lt_compat_r (sd * se)) in I; [|apply Rmult_lt_0_compat; auto];
    field_simplify in I; [|lra|lra]; enough (power (joint b) d * se <= power (joint b) e * sd) by lra|
    intros DL [c [Hc Lc]]; apply R]; unfold sd, se; rewrite <- !sum_scale.
  - apply sum_le. intros c Hc. apply T; auto.
  - apply sum_lt with c; auto; [intros i Hi|]; apply T; auto.
Qed.
End OneItem.

(* Eq. (19) at k = 1, which is eq. (8), can decide otherwise: two features, likelihoods 1/100 and 1/4, priors 9:1. *)
Theorem eq_19_can_decide_otherwise : exists likelihood prior,
  decides 2 (eq_4 2 likelihood prior) 1 /\ ~ decides 2 (eq_19 2 likelihood prior 1 2) 1.
Proof.
  exists (fun c => if c =? 0 then 1 / 10 * (1 / 10) else 1 / 2 * (1 / 2)), (fun c => if c =? 0 then 9 / 10 else 1 / 10).
  unfold eq_4, eq_19. split.
  - apply normalised_decides; simpl; [lra|]. split; [lia|]. intros [|[|]]; simpl; lra || lia.
  - assert (R : forall x, 0 < x -> power (x * x) (1 / 2) = x).
    { intros x X. unfold power. destruct (Req_EM_T (x * x) 0); [nra|]. replace (1 / 2) with (/ 2) by field.
      rewrite Rpower_sqrt by nra. apply sqrt_square. lra. }
    rewrite normalised_decides; simpl; rewrite ?R by lra; [|lra].
    intros [_ H]. specialize (H 0%nat ltac:(lia)). simpl in H. rewrite !R in H by lra. lra.
Qed.
