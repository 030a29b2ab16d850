(* Statement: the log loss of an item, minus the log of its true class's posterior, is convex in k for eq. (19) and
   (20). So is the mean over items. Source: docstring of nbcore.perplexed.best_k. *)
From NB Require Import Finite Perplexed.

(* Both rules have numerators g_c exp (u_c + k v_c) with g_c = 0 for a class of probability 0, else 1; y is the true
   class, whose probability is not 0: best_k leaves other rows out. *)
Section Loss.
Variables (C y : nat) (g u v : nat -> R).
Hypotheses (Hy : (y < C)%nat) (G : forall c, 0 <= g c) (Gy : g y = 1).
Definition numerator k c := g c * exp (u c + k * v c).
Definition loss k : R := ln (sum C (numerator k)) - (u y + k * v y).

Lemma numerators_nonneg k c : 0 <= numerator k c.
Proof. apply Rmult_le_pos; auto. left; apply exp_pos. Qed.

Lemma numerators_pos k : 0 < sum C (numerator k).
Proof.
  apply Rlt_le_trans with (numerator k y); [|apply term_below_sum; auto using numerators_nonneg].
  unfold numerator. rewrite Gy, Rmult_1_l. apply exp_pos.
Qed.

Lemma loss_above_tangent k l : loss k + (l - k) * (sum C (fun c => normalised C (numerator k) c * v c) - v y) <= loss l.
Proof.
  pose proof (numerators_pos k). pose proof (numerators_pos l). unfold loss.
  set (r := normalised C (numerator k)).
  assert (S1 : sum C r = 1).
  { unfold r, normalised. rewrite (sum_ext C _ (fun c => / sum C (numerator k) * numerator k c)) by
      (intros; field; lra). rewrite sum_scale. field. lra. }
  assert (J : sum C (fun c => r c * ln (exp ((l - k) * v c))) <= ln (sum C (fun c => r c * exp ((l - k) * v c)))).
  { apply (jensen_ln C r (fun c => exp ((l - k) * v c))); auto.
    intros c _. pose proof (exp_pos ((l - k) * v c)). split; [|split; intros; lra].
    apply Rmult_le_pos; [apply numerators_nonneg|left; apply Rinv_0_lt_compat; auto]. }
  assert (E1 : sum C (fun c => r c * ln (exp ((l - k) * v c))) = (l - k) * sum C (fun c => r c * v c)).
  { rewrite <- sum_scale. apply sum_ext. intros. rewrite ln_exp. ring. }
  assert (E2 : sum C (fun c => r c * exp ((l - k) * v c)) = / sum C (numerator k) * sum C (numerator l)).
  { rewrite <- sum_scale. apply sum_ext. intros c _. unfold r, normalised, numerator.
    replace (u c + l * v c) with ((u c + k * v c) + (l - k) * v c) by ring. rewrite (exp_plus (u c + k * v c)).
    field. apply Rgt_not_eq, numerators_pos. }
  rewrite E1, E2, ln_mult, ln_Rinv in J; auto using Rinv_0_lt_compat. lra.
Qed.

Lemma loss_is_convex k l t : 0 <= t <= 1 -> loss (t * k + (1 - t) * l) <= t * loss k + (1 - t) * loss l.
Proof.
  intros T. set (m := t * k + (1 - t) * l). pose proof (loss_above_tangent m k) as A.
  pose proof (loss_above_tangent m l) as B. set (d := sum C _ - v y) in *.
  replace (k - m) with ((1 - t) * (k - l)) in A by (unfold m; ring).
  replace (l - m) with (- t * (k - l)) in B by (unfold m; ring). nra.
Qed.

Lemma loss_of_numerators s k : (forall c, (c < C)%nat -> s c = numerator k c) -> - ln (normalised C s y) = loss k.
Proof.
  intros E. unfold normalised, loss, Rdiv. rewrite E, (sum_ext C s (numerator k)) by auto.
  pose proof (numerators_pos k). unfold numerator at 1. rewrite Gy, Rmult_1_l.
  rewrite ln_mult, ln_Rinv, ln_exp by auto using Rinv_0_lt_compat, exp_pos. ring.
Qed.
End Loss.

Section Rules.
Variables (C y : nat) (likelihood prior : nat -> R) (n : R).
Hypotheses (Hy : (y < C)%nat) (Features : 0 < n) (Ly : 0 < likelihood y) (Py : 0 < prior y).
Hypotheses (L : forall c, (c < C)%nat -> 0 <= likelihood c) (P : forall c, (c < C)%nat -> 0 <= prior c).
Let g c := if Req_EM_T (likelihood c * prior c) 0 then 0 else 1.

Lemma g_nonneg c : 0 <= g c.
Proof. unfold g. destruct Req_EM_T; lra. Qed.

Lemma g_is_one : g y = 1.
Proof. unfold g. destruct Req_EM_T as [Z|]; auto. apply Rmult_integral in Z. lra. Qed.

(* One numerator: 0 if the likelihood or the prior is, else by exp and ln *)
Ltac numerators := intros c Hc; unfold numerator, g; pose proof (L c Hc); pose proof (P c Hc);
  destruct (Req_EM_T (likelihood c * prior c) 0) as [Z|N]; [apply Rmult_integral in Z; destruct Z as [Z|Z]|
    assert (likelihood c <> 0 /\ prior c <> 0) as [NL NP] by (split; intros Z; apply N; rewrite Z; ring)].

Theorem eq_19_loss_is_convex k l t (loss := fun k => - ln (eq_19 C likelihood prior k n y)) : 0 <= t <= 1 ->
  loss (t * k + (1 - t) * l) <= t * loss k + (1 - t) * loss l.
Proof.
  intros T. pose (u := fun c => ln (prior c)). pose (v := fun c => ln (likelihood c) / n).
  assert (E : forall k, loss k = LogLoss.loss C y g u v k).
  { intros m. apply loss_of_numerators; auto using g_nonneg, g_is_one. numerators; unfold power.
    - rewrite Z. destruct Req_EM_T; [ring|lra].
    - rewrite Z. ring.
    - destruct Req_EM_T; [lra|]. unfold Rpower, u, v. rewrite exp_plus, exp_ln, Rmult_1_l, Rmult_comm by lra.
      do 2 f_equal. field. lra. }
  rewrite !E. apply loss_is_convex; auto using g_nonneg, g_is_one.
Qed.

Theorem eq_20_loss_is_convex k l t (loss := fun k => - ln (eq_20 C likelihood prior k n y)) : 0 <= t <= 1 ->
  loss (t * k + (1 - t) * l) <= t * loss k + (1 - t) * loss l.
Proof.
  intros T. pose (v := fun c => ln (likelihood c * prior c) / (n + 1)).
  assert (E : forall k, loss k = LogLoss.loss C y g (fun _ => 0) v k).
  { intros m. apply loss_of_numerators; auto using g_nonneg, g_is_one. numerators; unfold power.
    - rewrite Z, Rmult_0_l. destruct Req_EM_T; [ring|lra].
    - rewrite Z, Rmult_0_r. destruct Req_EM_T; [ring|lra].
    - destruct Req_EM_T; [contradiction|]. unfold Rpower, v. rewrite Rmult_1_l. f_equal. field. lra. }
  rewrite !E. apply loss_is_convex; auto using g_nonneg, g_is_one.
Qed.
End Rules.
