(* Statement: the log loss of an item, minus the log of its true class's posterior, is convex in k for eq. (19) and
   (20). So is the mean over items. Source: docstring of nbcore.perplexed.best_k. *)
From NB Require Import Finite Perplexed.

(* Both rules have numerators exp (u_c + k v_c), if no probability is 0; y is the true class. *)
Section LogLoss.
Variables (C y : nat) (u v : nat -> R).
Hypothesis Hy : (y < C)%nat.
Definition numerator k c := exp (u c + k * v c).
Definition loss k : R := ln (sum C (numerator k)) - (u y + k * v y).

Lemma numerators_pos k : 0 < sum C (numerator k).
Proof. apply sum_pos; [lia|]. intros. apply exp_pos. Qed.

Lemma loss_above_tangent k l : loss k + (l - k) * (sum C (fun c => normalised C (numerator k) c * v c) - v y) <= loss l.
Proof.
  pose proof (numerators_pos k). pose proof (numerators_pos l). unfold loss.
  set (r := normalised C (numerator k)).
  assert (S1 : sum C r = 1).
  { unfold r, normalised. rewrite (sum_ext C _ (fun c => / sum C (numerator k) * numerator k c)) by (intros; field;
      lra).
    rewrite sum_scale. field. lra. }
  assert (J : sum C (fun c => r c * ln (exp ((l - k) * v c))) <= ln (sum C (fun c => r c * exp ((l - k) * v c)))).
  { apply (jensen_ln C r (fun c => exp ((l - k) * v c))); auto.
    intros c _. pose proof (exp_pos ((l - k) * v c)). split; [|split; intros; lra].
    apply Rmult_le_pos; left; [apply exp_pos|apply Rinv_0_lt_compat; auto]. }
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
  pose proof (loss_above_tangent m l) as B.
  set (g := sum C _ - v y) in *. replace (k - m) with ((1 - t) * (k - l)) in A by (unfold m; ring).
  replace (l - m) with (- t * (k - l)) in B by (unfold m; ring). nra.
Qed.
End LogLoss.

Section Rules.
Variables (C y : nat) (likelihood prior : nat -> R) (n : R).
Hypotheses (Hy : (y < C)%nat) (Features : 0 < n) 
  (L : forall c, (c < C)%nat -> 0 < likelihood c) (P : forall c, (c < C)%nat -> 0 < prior c).

Lemma power_exp x e : 0 < x -> power x e = exp (e * ln x).
Proof. intros X. unfold power. destruct (Req_EM_T x 0); [lra|reflexivity]. Qed.

Lemma loss_of_numerators u v s k : (forall c, (c < C)%nat -> s c = numerator u v k c) ->
  - ln (normalised C s y) = loss C y u v k.
Proof.
  intros E. unfold normalised, loss, Rdiv. rewrite E, (sum_ext C s (numerator u v k)) by auto.
  pose proof (numerators_pos C y u v Hy k). pose proof (exp_pos (u y + k * v y)). unfold numerator at 1.
  rewrite ln_mult, ln_Rinv, ln_exp by auto using Rinv_0_lt_compat. ring.
Qed.

Theorem eq_19_loss_is_convex k l t (loss := fun k => - ln (eq_19 C likelihood prior k n y)) : 0 <= t <= 1 ->
  loss (t * k + (1 - t) * l) <= t * loss k + (1 - t) * loss l.
Proof.
  intros T. unfold loss, eq_19. pose (u := fun c => ln (prior c)). pose (v := fun c => ln (likelihood c) / n).
  rewrite (loss_of_numerators u v _ (t * k + (1 - t) * l)), (loss_of_numerators u v _ k), (loss_of_numerators u v _ l);
    [apply loss_is_convex; auto|..];
    intros c Hc; unfold numerator, u, v; rewrite power_exp, exp_plus, exp_ln by auto; rewrite Rmult_comm; f_equal;
    f_equal; field; lra.
Qed.

Theorem eq_20_loss_is_convex k l t (loss := fun k => - ln (eq_20 C likelihood prior k n y)) : 0 <= t <= 1 ->
  loss (t * k + (1 - t) * l) <= t * loss k + (1 - t) * loss l.
Proof.
  intros T. unfold loss, eq_20. pose (v := fun c => ln (likelihood c * prior c) / (n + 1)).
  pose (u := fun _ : nat => 0).
  rewrite (loss_of_numerators u v _ (t * k + (1 - t) * l)), (loss_of_numerators u v _ k), (loss_of_numerators u v _ l);
    [apply loss_is_convex; auto|..];
    intros c Hc; unfold numerator, u, v; rewrite power_exp by (apply Rmult_lt_0_compat; auto); f_equal; field; lra.
Qed.
End Rules.
