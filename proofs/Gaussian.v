(* Statement: of the variances that respect a floor, the rows' variance lifted to the floor is the best for a Gaussian
   node; adding the floor loses. Source: docstring of nbcore.hierarchical.GaussianLeaf.estimate. s is the variance of
   a node's rows around their mean. Around a mean that is off by the root of d it is s + d. The negative log
   likelihood of N rows, less a constant, is N / 2 times cost: ln v + (s + d) / v at variance v. *)
From NB Require Import Finite.

Definition cost (s v : R) : R := ln v + s / v.

Lemma cost_grows_above s m v : 0 < m -> s <= m -> m <= v -> cost s m <= cost s v.
Proof.
  intros M S V. unfold cost. assert (L := ln_le_minus_1 (m / v) ltac:(apply Rdiv_lt_0_compat; lra)).
  unfold Rdiv in *. rewrite ln_mult, ln_Rinv in L; try apply Rinv_0_lt_compat; try lra.
  assert (E : s * / m - s * / v = s / m * (1 - m * / v)) by (field; lra).
  assert (s / m <= 1) by (apply (Rmult_le_reg_r m); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (m * / v <= 1) by (apply (Rmult_le_reg_r v); [lra|]; rewrite Rmult_assoc, Rinv_l; lra). nra.
Qed.

(* Without a floor, s itself is best. *)
Lemma cost_least s v : 0 < s -> 0 < v -> cost s s <= cost s v /\ (v <> s -> cost s s < cost s v).
Proof.
  intros S V. assert (P : 0 < s / v) by (apply Rdiv_lt_0_compat; auto).
  assert (E : cost s v - cost s s = s / v - 1 - ln (s / v)).
  { unfold cost, Rdiv. rewrite ln_mult, ln_Rinv, Rinv_r; try apply Rinv_0_lt_compat; lra. }
  pose proof (ln_le_minus_1 _ P). split; [lra|]. intros N. enough (ln (s / v) < s / v - 1) by lra.
  assert (N1 : ln (s / v) <> 0).
  { intros Z. apply N. rewrite <- ln_1 in Z. apply ln_inv in Z; try lra.
    replace v with (s / v * v) by (rewrite Z; ring) || auto.
    field_simplify in Z; try lra. apply (f_equal (fun q => q * v)) in Z. unfold Rdiv in Z.
    rewrite Rmult_assoc, Rinv_l in Z; lra. }
  pose proof (exp_ineq1 _ N1) as I. rewrite exp_ln in I; lra.
Qed.

(* "`max` keeps EM monotone among nodes that respect the floor: it is the best variance that the floor allows." *)
Theorem lifting_to_the_floor_is_best s d floor v : 0 < floor -> 0 <= s -> 0 <= d -> floor <= v ->
  cost s (Rmax s floor) <= cost (s + d) v.
Proof.
  intros F S D V. apply Rle_trans with (cost s v).
  - unfold Rmax. destruct (Rle_dec s floor); [apply cost_grows_above; lra|apply cost_least; lra].
  - unfold cost, Rdiv. assert (0 < / v) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

(* It needs v >= floor: from a variance below the floor the step can lose, as the docstring of
   nbcore.hierarchical.run_em says. *)
Theorem lifting_may_lose_from_below_the_floor :
  exists s floor v, 0 < v < floor /\ 0 < s /\ cost s v < cost s (Rmax s floor).
Proof.
  exists 1, 2, 1. rewrite Rmax_right by lra. repeat split; try lra. apply (cost_least 1 2); lra.
Qed.

(* "Adding the floor would not be": from the best variance s, a step to s + floor loses. *)
Theorem adding_the_floor_loses s floor : 0 < s -> 0 < floor -> cost s s < cost s (s + floor).
Proof. intros. apply cost_least; lra. Qed.

(* Adding e is best for another objective, in which every log P(x|c) is less by e / (2 v):
   nbcore.semi_supervised.SemiSupervisedNB with GaussianNB. *)
Theorem adding_is_best_under_noise s e v : 0 <= s -> 0 < e -> 0 < v ->
  cost s (s + e) + e / (s + e) <= cost s v + e / v.
Proof.
  intros S E V. assert (C : forall u, 0 < u -> cost s u + e / u = cost (s + e) u) by (intros; unfold cost; field; lra).
  rewrite !C by lra. apply cost_least; lra.
Qed.
