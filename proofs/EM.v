(* Statement: no step of EM lowers the penalised log likelihood, so that the path of run_em never falls.
   Source: Carlos & Rakshit (2016), section 2.5, eq. (5), (6), (7).
   Python: nbcore.hierarchical.run_em with multinomial leaves, node_weights="documents", smooth_nodes=False. *)
From NB Require Import Finite EMModel.

Section Step.
Variables (n F H : nat) (x : nat -> nat -> nat) (a : R) (w : nat -> R) (p : nat -> nat -> R).
Hypotheses (Documents : (0 < n)%nat) (Features : (0 < F)%nat) (Alpha : 0 <= a).
Local Notation joint := (joint F x).
Local Notation objective := (objective n F H x a).
Local Notation valid := (valid n F H x a).
Local Notation supports := (supports n F H x).
Local Notation resp := (resp F H x w p).
Local Notation node_mass := (node_mass n F H x w p).
Local Notation pseudo := (pseudo n F H x a w p).
Local Notation new_w := (new_w n F H x w p).
Local Notation new_p := (new_p n F H x a w p).
Hypothesis V : valid w p.
Implicit Types (v : nat -> R) (q : nat -> nat -> R).

(* The expected complete log likelihood plus penalty, eq. (6), of v, q under the responsibilities of w, p *)
Definition expected v q : R :=
  sum n (fun i => sum H (fun h => resp i h * ln (joint v q i h))) + a * sum H (fun h => sum F (fun f => ln (q h f))).

Lemma expected_splits v q : supports w p v q -> expected v q =
  sum H (fun h => node_mass h * ln (v h)) + sum H (fun h => sum F (fun f => pseudo h f * ln (q h f))).
Proof.
  intros S. unfold expected. rewrite sum_swap, <- sum_scale, <- !sum_plus. apply sum_ext. intros h Hh.
  unfold EMModel.node_mass, EMModel.pseudo.
  rewrite (sum_ext F (fun f => (sum n (fun i => resp i h * INR (x i f)) + a) * ln (q h f))
    (fun f => ln (q h f) * sum n (fun i => resp i h * INR (x i f)) + a * ln (q h f))) by (intros; ring).
  rewrite sum_plus, sum_scale.
  rewrite (sum_ext n (fun i => resp i h * ln (joint v q i h))
    (fun i => ln (v h) * resp i h + sum F (fun f => ln (q h f) * (resp i h * INR (x i f))))).
  - rewrite sum_plus, sum_scale, sum_swap.
    rewrite (sum_ext F (fun j => sum n _) (fun f => ln (q h f) * sum n (fun i => resp i h * INR (x i f))))
      by (intros; apply sum_scale). ring.
  - intros i Hi. destruct (Req_dec (resp i h) 0) as [Z|N].
    { rewrite Z, sum_zero; [ring|]. intros; ring. }
    destruct (S i h Hi Hh N) as [VP P]. pose proof (supported_powers F x q i h P) as E.
    unfold EMModel.joint. rewrite ln_mult, ln_prod, Rmult_plus_distr_l, <- sum_scale by auto using prod_pos.
    f_equal; [ring|]. apply sum_ext. intros f Hf.
    destruct (Nat.eq_dec (x i f) 0) as [->|X]; [simpl; rewrite ln_1; ring|rewrite ln_pow; auto; ring].
Qed.

(* eq. (7): the M-step maximises eq. (6), by Gibbs' inequality. *)
Theorem m_step_maximises v q : valid v q -> supports w p v q -> expected v q <= expected new_w new_p.
Proof.
  intros [VS [_ VQ]] S. rewrite !expected_splits by eauto using step_supports. apply Rplus_le_compat.
  - unfold EMModel.new_w. rewrite <- (masses_sum n F H x a w p V). apply gibbs; auto. intros h Hh.
    split; [apply mass_nonneg with a; auto|].
    split; [apply VQ; auto|]. intros M. destruct (zero_or_not n (fun i => resp i h)) as [Z|[i [Hi N]]].
    { exfalso. apply M. apply sum_zero; auto. }
    apply (S i h Hi Hh N).
  - apply sum_le. intros h Hh. destruct (VQ h Hh) as [_ [Q1 QP]].
    assert (A : forall f, (f < F)%nat -> 0 <= pseudo h f) by (intros f _;
      pose proof (pseudo_nonneg n F H x a Documents w p V h f Hh); lra).
    unfold EMModel.new_p. destruct (Req_EM_T (sum F (pseudo h)) 0) as [Z|].
    { right. apply sum_ext. intros f Hf. pose proof (term_below_sum F _ f Hf A). pose proof (A f Hf).
      replace (pseudo h f) with 0 by lra. ring. }
    apply (gibbs F (pseudo h) (q h)); auto. intros f Hf. split; auto. split; [apply QP; auto|]. intros N.
    destruct (zero_or_not n (fun i => resp i h * INR (x i f))) as [Z|[i [Hi M]]].
    + destruct (QP f Hf) as [_ P]. apply P. unfold EMModel.pseudo in N. rewrite (sum_zero _ _ Z) in N. lra.
    + assert (resp i h <> 0) by (intros Z; apply M; rewrite Z; ring).
      apply (S i h); auto. intros Z. apply M. rewrite Z. simpl. ring.
Qed.

(* "In the E-step, the algorithm finds a function that lower bounds log P(X|theta)": from w, p the objective gains at
   least as much as eq. (6) does, by Jensen's inequality. *)
Theorem e_step_bounds v q : valid v q -> supports w p v q ->
  expected v q - expected w p <= objective v q - objective w p.
Proof.
  intros [_ [_ VQ]] S. unfold expected, EMModel.objective.
  enough (sum n (fun i => sum H (fun h => resp i h * ln (joint v q i h)) - sum H (fun h => resp i h * ln (joint w p i
    h)))
    <= sum n (fun i => ln (sum H (joint v q i)) - ln (sum H (joint w p i)))) by (rewrite !sum_minus in *; lra).
  apply sum_le. intros i Hi. set (T := sum H (joint w p i)). assert (TP : 0 < T) by (apply V; auto).
  assert (JN : forall h, (h < H)%nat -> 0 <= joint v q i h).
  { intros h Hh. destruct (VQ h Hh) as [W [_ Q]]. apply Rmult_le_pos; auto. apply prod_nonneg.
    intros; apply pow_le, Q; auto. }
  pose (y := fun h => if Req_EM_T (resp i h) 0 then 0 else joint v q i h / joint w p i h).
  assert (JP : forall h, (h < H)%nat -> resp i h <> 0 -> 0 < joint w p i h /\ 0 < joint v q i h) by
    (intros; split; eapply (supported_joint n F H x w p); eauto using supports_itself).
  destruct (jensen_ln H (resp i) y) as [MP J]; [|apply (resp_sums n F H x a); auto|].
  { intros h Hh. split; [apply (resp_nonneg n F H x a); auto|]. unfold y. destruct (Req_EM_T _ 0) as [|N]; [lra|].
    destruct (JP h Hh N). assert (0 < joint v q i h / joint w p i h) by (apply Rdiv_lt_0_compat; auto). lra. }
  assert (M : sum H (fun h => resp i h * y h) <= / T * sum H (joint v q i)).
  { rewrite <- sum_scale. apply sum_le. intros h Hh. unfold y. destruct (Req_EM_T _ 0) as [Z|N].
    - pose proof (JN h Hh). apply Rinv_0_lt_compat in TP. nra.
    - right. destruct (JP h Hh N). unfold EMModel.resp. fold T. field. lra. }
  assert (VP : 0 < sum H (joint v q i)) by (apply Rinv_0_lt_compat in TP; nra).
  assert (L : ln (sum H (fun h => resp i h * y h)) <= ln (/ T * sum H (joint v q i))) by
    (destruct M as [M| ->]; [left; apply ln_increasing; auto|lra]).
  rewrite ln_mult, ln_Rinv in L by auto using Rinv_0_lt_compat. rewrite <- sum_minus.
  eapply Rle_trans; [|eapply Rle_trans; [apply J|lra]]. right. apply sum_ext. intros h Hh. unfold y.
  destruct (Req_EM_T _ 0) as [->|N]; [ring|]. destruct (JP h Hh N). unfold Rdiv.
  rewrite ln_mult, ln_Rinv; auto using Rinv_0_lt_compat. ring.
Qed.

Theorem em_never_falls : objective w p <= objective new_w new_p.
Proof.
  assert (N := m_step_valid n F H x a Documents Features Alpha w p V).
  assert (S := step_supports n F H x a Documents Features Alpha w p V).
  pose proof (m_step_maximises w p V (supports_itself n F H x a Documents Features w p V)).
  pose proof (e_step_bounds _ _ N S). lra.
Qed.
End Step.

(* The nodes after t steps from w, p, and the objective along them: path[t] of run_em *)
Fixpoint nodes n F H x a (t : nat) (start : (nat -> R) * (nat -> nat -> R)) := match t with
  | O => start
  | S t => let (w, p) := nodes n F H x a t start in (new_w n F H x w p, new_p n F H x a w p)
  end.

Theorem path_never_falls n F H x a w p t : (0 < n)%nat -> (0 < F)%nat -> 0 <= a -> valid n F H x a w p ->
  let path t := objective n F H x a (fst (nodes n F H x a t (w, p))) (snd (nodes n F H x a t (w, p))) in
  path t <= path (S t).
Proof.
  intros N Features A V path. unfold path. simpl. revert V. enough (forall t, valid n F H x a w p ->
    valid n F H x a (fst (nodes n F H x a t (w, p))) (snd (nodes n F H x a t (w, p)))) as E.
  { intros V. specialize (E t V). destruct (nodes n F H x a t (w, p)). apply em_never_falls; auto. }
  intros s V. induction s; auto. simpl. destruct (nodes n F H x a s (w, p)). apply m_step_valid; auto.
Qed.
