(* Statement: token weights, smoothed nodes and the likelihood without its penalty: each can go down in a step of EM.
   Three examples in exact fractions. Source: Carlos & Rakshit (2016), sections 2.5, 3.2 and 4; page 07b; docstring of
   nbcore.hierarchical.run_em. Python: nbcore.hierarchical.m_step (node_weights="tokens", smooth_nodes=True). *)
From NB Require Import Finite EMModel.

(* exp of eq. (5) *)
Definition likelihood (n F H : nat) x w p : R := prod n (fun i => sum H (joint F x w p i)).
Definition own (h f : nat) : R := if h =? f then 1 else 0.

(* Token weights, eq. (27), a = 0. Documents "a" and "b b b", each at a node of its own: the likelihood is 1/4. From
   there the step with token weights leads to nodes 1/4 and 3/4 instead of 1/2 and 1/2, and down to 3/16. *)
Definition docs (i f : nat) : nat := match i, f with O, O => 1 | S O, S O => 3 | _, _ => 0 end.
Definition half (h : nat) : R := 1 / 2.
Definition by_tokens (h : nat) : R :=
  sum 2 (fun i => resp 2 2 docs half own i h * sum 2 (fun f => INR (docs i f))) / 4.

(* The hypothesis of em_never_falls can be met: this start is valid. *)
Lemma start_is_valid : valid 2 2 2 docs 0 half own.
Proof.
  unfold valid, joint, half, own. split; [simpl; lra|]. split; [intros [|[|]] Hi; simpl; lra || lia|].
  intros [|[|]] Hh; try lia; (split; [lra|split; [simpl; lra|]]); intros [|[|]] Hf; simpl; try lia; split; lra.
Qed.

(* The EM of section 2.5 rests there, and its product of sums has P(a) = 1/2, naive Bayes 1/4, see
   HiddenNodes.document_weights_fail: section 3.2, "over any data-set", does not hold of it. *)
Theorem em_rests_here h f : (h < 2)%nat -> (f < 2)%nat ->
  new_w 2 2 2 docs half own h = half h /\ new_p 2 2 2 docs 0 half own h f = own h f.
Proof.
  intros Hh Hf. unfold new_w, node_mass, new_p, pseudo, resp, joint, half, own.
  destruct h as [|[|]], f as [|[|]]; try lia; simpl; (split; [field|]); destruct Req_EM_T as [Z|Z];
    try field; exfalso; field_simplify in Z; lra.
Qed.

Lemma by_tokens_is : by_tokens 0 = 1 / 4 /\ by_tokens 1 = 3 / 4.
Proof. unfold by_tokens, resp, joint, own, half. simpl. split; field. Qed.

Theorem token_weights_may_lower_the_likelihood :
  likelihood 2 2 2 docs half own = 1 / 4 /\ likelihood 2 2 2 docs by_tokens own = 3 / 16.
Proof.
  destruct by_tokens_is as [E0 E1]. unfold likelihood, joint. simpl. rewrite E0, E1. unfold own, half. simpl.
  split; field.
Qed.

(* Smoothed nodes, hard EM, a = 1, documents "a", "a", "a" and "b". The leaves come from the first three at node 0 and
   the last at node 1, where they stay by either of the nodes' shares: 3/4 and 1/4 by documents, 5/8 and 3/8 when
   smoothed by a F = 2 pseudo-tokens. So a step with smooth_nodes=True changes the shares only, and lowers the
   objective. *)
Definition four (i f : nat) : nat := match i, f with 3, 0 => 0 | 3, 1 => 1 | _, 0 => 1 | _, _ => 0 end%nat.
Definition leaf (h f : nat) : R := match h, f with
  | O, O => (3 + 1) / (3 + 2) | O, _ => (0 + 1) / (3 + 2) | _, O => (0 + 1) / (1 + 2) | _, _ => (1 + 1) / (1 + 2) end.
Definition pair (u v : R) (h : nat) : R := match h with O => u | _ => v end.
Definition by_documents := pair (3 / 4) (1 / 4).
Definition smoothed := pair ((3 + 1 * 2) / (4 + 2 * (1 * 2))) ((1 + 1 * 2) / (4 + 2 * (1 * 2))).
Definition best w i : R := Rmax (joint 2 four w leaf i 0) (joint 2 four w leaf i 1).
Definition hard_objective w : R := sum 4 (fun i => ln (best w i)) + 1 * sum 2 (fun h => sum 2 (fun f => ln (leaf h f))).

Theorem smoothed_nodes_may_lower_the_objective :
  (forall w, w = by_documents \/ w = smoothed -> (forall i, (i < 3)%nat ->
    joint 2 four w leaf i 1 < joint 2 four w leaf i 0)
    /\ joint 2 four w leaf 3 0 < joint 2 four w leaf 3 1) /\
  hard_objective smoothed < hard_objective by_documents.
Proof.
  assert (J : forall w, w = by_documents \/ w = smoothed -> (forall i, (i < 3)%nat ->
    joint 2 four w leaf i 1 < joint 2 four w leaf i 0) /\ joint 2 four w leaf 3 0 < joint 2 four w leaf 3 1).
  { intros w [-> | ->]; unfold joint, by_documents, smoothed, pair, leaf; (split; [intros [|[|[|i]]] Hi; simpl;
    lra || lia|
      simpl; lra]). }
  split; [exact J|]. apply Rplus_lt_compat_r.
  assert (E : forall w, w = by_documents \/ w = smoothed -> 0 < w O -> 0 < w 1%nat ->
    sum 4 (fun i => ln (best w i)) = ln (w O ^ 3 * w 1%nat * (128 / 375))).
  { intros w W P0 P1. destruct (J w W) as [A B]. unfold best. simpl sum.
    rewrite !Rmax_left by (left; apply A; lia). rewrite Rmax_right by (left; apply B). rewrite Rplus_0_l.
    unfold joint, leaf. simpl. rewrite <- !ln_mult by (repeat apply Rmult_lt_0_compat; lra). f_equal. field. }
  rewrite !E by (auto || unfold by_documents, smoothed, pair; lra). unfold by_documents, smoothed, pair.
  apply ln_increasing; lra.
Qed.

(* Without its penalty the likelihood may fall if a > 0: one node, one document "a a", a = 1, P(a) from 1 to 3/4. *)
Definition one_doc (i f : nat) : nat := match f with O => 2 | _ => 0 end.

Theorem unpenalised_likelihood_may_fall :
  likelihood 1 2 1 one_doc (fun _ => 1) (new_p 1 2 1 one_doc 1 (fun _ => 1) own) <
  likelihood 1 2 1 one_doc (fun _ => 1) own.
Proof.
  assert (E : new_p 1 2 1 one_doc 1 (fun _ => 1) own 0 0 = 3 / 4).
  { unfold new_p, pseudo, resp, joint, own. simpl. destruct Req_EM_T as [Z|Z]; [exfalso; field_simplify in Z;
      lra|field]. }
  unfold likelihood, joint. simpl. rewrite E. unfold own. simpl. lra.
Qed.
