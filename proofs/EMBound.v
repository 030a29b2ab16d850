(* Statement: the log likelihood is a bound, made of the present responsibilities, plus their Kullback-Leibler
   divergence from the responsibilities that a new E-step would give. Source: page 07b, section 1; Carlos & Rakshit
   (2016), section 2.5. Python: nbcore.hierarchical.e_step. *)
From NB Require Import Finite EMModel.

Section Bound.
Variables (n F H : nat) (x : nat -> nat -> nat) (a : R) (w : nat -> R) (p : nat -> nat -> R).
Local Notation joint := (joint F x).
Local Notation valid := (valid n F H x a).
Local Notation supports := (supports n F H x).
Local Notation resp := (resp F H x w p).
Hypothesis V : valid w p.
Implicit Types (v : nat -> R) (q : nat -> nat -> R).

(* w, p gave the present responsibilities; `later` are those at any v, q. By Gibbs' inequality the divergence is never
   negative; it is 0 where both are the same. A node without a share of a document counts as 0. *)
Theorem bound_and_divergence v q (later := EMModel.resp F H x v q) : valid v q -> supports w p v q ->
  sum n (fun i => ln (sum H (joint v q i))) = sum n (fun i => sum H (fun h => resp i h * ln (joint v q i h / resp i h)))
    + sum n (fun i => sum H (fun h => resp i h * ln (resp i h / later i h))) /\
  0 <= sum n (fun i => sum H (fun h => resp i h * ln (resp i h / later i h))) /\
  ((forall i h, (i < n)%nat -> (h < H)%nat -> later i h = resp i h) ->
    sum n (fun i => sum H (fun h => resp i h * ln (resp i h / later i h))) = 0).
Proof.
  intros VQ S. assert (R : forall i h, (i < n)%nat -> (h < H)%nat -> 0 <= resp i h) by
    (intros; apply (resp_nonneg n F H x a); auto).
  assert (P : forall i h, (i < n)%nat -> (h < H)%nat -> resp i h <> 0 -> 0 < resp i h /\ 0 < later i h /\
    0 < joint v q i h /\ 0 < sum H (joint v q i)).
  { intros i h Hi Hh N. pose proof (R i h Hi Hh). pose proof (supported_joint n F H x w p v q i h S Hi Hh N).
    assert (0 < sum H (joint v q i)) by (apply VQ; auto). repeat split; auto; [lra|].
    unfold later, EMModel.resp. apply Rdiv_lt_0_compat; auto. }
  split; [|split].
  - rewrite <- sum_plus. apply sum_ext. intros i Hi. rewrite <- sum_plus.
    transitivity (sum H (fun h => ln (sum H (joint v q i)) * resp i h)).
    + rewrite sum_scale, (resp_sums n F H x a w p V i Hi). ring.
    + apply sum_ext. intros h Hh. symmetry. destruct (Req_dec (resp i h) 0) as [Z|N]; [rewrite Z, !Rmult_0_l; lra|].
      destruct (P i h Hi Hh N) as [A [B [D E]]].
      rewrite <- Rmult_plus_distr_l, <- ln_mult by (apply Rdiv_lt_0_compat; auto).
      replace (joint v q i h / resp i h * (resp i h / later i h)) with (sum H (joint v q i)); [apply Rmult_comm|].
      change (later i h) with (joint v q i h / sum H (joint v q i)). field. repeat split; apply Rgt_not_eq; auto.
  - apply sum_nonneg. intros i Hi. assert (O := resp_sums n F H x a w p V i Hi).
    assert (Gi : sum H (fun h => resp i h * ln (later i h)) <=
      sum H (fun h => resp i h * ln (resp i h / sum H (resp i)))).
    { apply gibbs; [|apply (resp_sums n F H x a v q VQ i Hi)]. intros h Hh. split; auto.
      split; [apply (resp_nonneg n F H x a v q VQ i h Hi Hh)|intros N; apply (P i h Hi Hh N)]. }
    rewrite O in Gi. rewrite (sum_ext H _ (fun h => resp i h * ln (resp i h / 1) - resp i h * ln (later i h))).
    + rewrite sum_minus. lra.
    + intros h Hh. destruct (Req_dec (resp i h) 0) as [Z|N]; [rewrite Z, !Rmult_0_l; lra|].
      destruct (P i h Hi Hh N) as [A [B _]].
      unfold Rdiv. rewrite Rinv_1, Rmult_1_r, ln_mult, ln_Rinv; auto using Rinv_0_lt_compat. ring.
  - intros E. apply sum_zero. intros i Hi. apply sum_zero. intros h Hh. rewrite E by auto.
    destruct (Req_dec (resp i h) 0) as [Z|N]; [rewrite Z; ring|]. unfold Rdiv. rewrite Rinv_r, ln_1 by auto. ring.
Qed.
End Bound.
