(* Statement: a step of EM, for one class of H nodes with multinomial leaves, document weights and a pseudo-count a >=
   0, yields probabilities again. Probabilities may be 0 and nodes empty; every document must be possible. Source:
   Carlos & Rakshit (2016), section 2.5, eq. (5) to (7), with the leaves of eq. (9), (28), (33). Python:
   nbcore.hierarchical.e_step, nbcore.hierarchical.m_step (node_weights="documents", smooth_nodes=False),
   nbcore.hierarchical.run_em, nbcore.hierarchical.MultinomialLeaf.log_penalty. *)
From NB Require Import Finite.

Section EM.
Variables (n F H : nat) (x : nat -> nat -> nat) (a : R).   (* documents, features, nodes; counts x i f *)
Hypotheses (Documents : (0 < n)%nat) (Features : (0 < F)%nat) (Alpha : 0 <= a).

(* Parameters: w h = P(h|c), p h f = P(f|h,c). If a > 0, no p may be 0: its penalty would be infinite. *)
Implicit Types (w v : nat -> R) (p q : nat -> nat -> R).
Definition joint w p i h : R := w h * prod F (fun f => p h f ^ x i f).                 (* eq. (9), (33) *)
Definition valid w p : Prop := sum H w = 1 /\ (forall i, (i < n)%nat -> 0 < sum H (joint w p i)) /\
  forall h, (h < H)%nat -> 0 <= w h /\ sum F (p h) = 1 /\ forall f, (f < F)%nat -> 0 <= p h f /\ (0 < a -> 0 < p h f).
Definition objective w p : R :=                                                         (* eq. (5), (10), penalised *)
  sum n (fun i => ln (sum H (joint w p i))) + a * sum H (fun h => sum F (fun f => ln (p h f))).

(* E-step, eq. (6), and M-step, eq. (7), (28) with pseudo-counts; a node without tokens becomes uniform if a = 0 *)
Definition resp w p i h : R := joint w p i h / sum H (joint w p i).
Definition node_mass w p h : R := sum n (fun i => resp w p i h).
Definition pseudo w p h f : R := sum n (fun i => resp w p i h * INR (x i f)) + a.
Definition new_w w p h : R := node_mass w p h / INR n.
Definition new_p w p h f : R :=
  if Req_EM_T (sum F (pseudo w p h)) 0 then 1 / INR F else pseudo w p h f / sum F (pseudo w p h).

(* Every node with a share of a document, under w and p, can produce it under v and q. *)
Definition supports w p v q : Prop := forall i h, (i < n)%nat -> (h < H)%nat -> resp w p i h <> 0 ->
  0 < v h /\ forall f, (f < F)%nat -> x i f <> O -> 0 < q h f.

Lemma supported_powers q i h : (forall f, (f < F)%nat -> x i f <> O -> 0 < q h f) ->
  forall f, (f < F)%nat -> 0 < q h f ^ x i f.
Proof. intros P f Hf. destruct (Nat.eq_dec (x i f) 0) as [->|]; [simpl; lra|apply pow_lt; auto]. Qed.

Lemma supported_joint w p v q i h : supports w p v q -> (i < n)%nat -> (h < H)%nat -> resp w p i h <> 0 ->
  0 < joint v q i h.
Proof.
  intros S Hi Hh R. destruct (S i h Hi Hh R) as [V P]. apply Rmult_lt_0_compat; auto.
  apply prod_pos, supported_powers; auto.
Qed.

Section Step.
Variables (w : nat -> R) (p : nat -> nat -> R).
Hypothesis V : valid w p.

Lemma resp_nonneg i h : (i < n)%nat -> (h < H)%nat -> 0 <= resp w p i h.
Proof.
  intros Hi Hh. destruct V as [_ [T P]]. destruct (P h Hh) as [W [_ Q]]. specialize (T i Hi).
  apply Rinv_0_lt_compat in T.
  apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; auto. apply prod_nonneg. intros f Hf. apply pow_le, Q; auto.
Qed.

(* eq. (26) *)
Lemma resp_sums i : (i < n)%nat -> sum H (resp w p i) = 1.
Proof.
  intros Hi. destruct V as [_ [T _]]. specialize (T i Hi).
  rewrite (sum_ext H _ (fun h => / sum H (joint w p i) * joint w p i h)) by (intros; unfold resp; field; lra).
  rewrite sum_scale. field. lra.
Qed.

Lemma masses_sum : sum H (node_mass w p) = INR n.
Proof. unfold node_mass. rewrite <- sum_swap, (sum_ext n _ (fun _ => 1)), sum_const by apply resp_sums. ring. Qed.

Lemma resp_below_mass i h : (i < n)%nat -> (h < H)%nat -> 0 <= resp w p i h <= node_mass w p h.
Proof.
  intros Hi Hh. split; [apply resp_nonneg; auto|].
  apply (term_below_sum n (fun i => resp w p i h)); auto. intros; apply resp_nonneg; auto.
Qed.

Lemma mass_nonneg h : (h < H)%nat -> 0 <= node_mass w p h.
Proof. intros Hh. pose proof (resp_below_mass 0 h Documents Hh). lra. Qed.

Lemma tokens_below_pseudo i h f : (i < n)%nat -> (h < H)%nat -> 0 <= resp w p i h * INR (x i f) <= pseudo w p h f - a.
Proof.
  intros Hi Hh. assert (T : forall i, (i < n)%nat -> 0 <= resp w p i h * INR (x i f)) by
    (intros; apply Rmult_le_pos; [apply resp_nonneg; auto|apply pos_INR]).
  split; auto. unfold pseudo. pose proof (term_below_sum n (fun i => resp w p i h * INR (x i f)) i Hi T). simpl in *.
  lra.
Qed.

Lemma pseudo_nonneg h f : (h < H)%nat -> a <= pseudo w p h f.
Proof. intros Hh. pose proof (tokens_below_pseudo 0 h f Documents Hh). lra. Qed.

Lemma new_p_pos h f : (h < H)%nat -> (f < F)%nat -> pseudo w p h f <> 0 -> 0 < new_p w p h f.
Proof.
  intros Hh Hf N. unfold new_p. assert (A : forall g, (g < F)%nat -> 0 <= pseudo w p h g) by
    (intros g _; pose proof (pseudo_nonneg h g Hh); lra). pose proof (term_below_sum F _ f Hf A). pose proof (A f Hf).
  destruct (Req_EM_T _ 0); [lra|]. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma step_supports : supports w p (new_w w p) (new_p w p).
Proof.
  intros i h Hi Hh R. pose proof (resp_below_mass i h Hi Hh). split.
  - apply Rdiv_lt_0_compat; [lra|apply (lt_INR 0); auto].
  - intros f Hf X. apply new_p_pos; auto. pose proof (tokens_below_pseudo i h f Hi Hh).
    assert (0 < resp w p i h * INR (x i f)) by (apply Rmult_lt_0_compat; [lra|apply (lt_INR 0); lia]). lra.
Qed.

Lemma supports_itself : supports w p w p.
Proof.
  intros i h Hi Hh R. destruct V as [_ [_ P]]. destruct (P h Hh) as [W [_ Q]].
  assert (J : joint w p i h <> 0) by (intros Z; apply R; unfold resp; rewrite Z; lra). unfold joint in J.
  split; [destruct W as [|W]; auto; rewrite <- W in J; lra|]. intros f Hf X. destruct (Q f Hf) as [[|Z] _]; auto.
  exfalso.
  apply J. rewrite (prod_apart F f), <- Z, pow_i by (auto || lia). ring.
Qed.

Lemma step_shares h : (h < H)%nat -> 0 <= new_w w p h /\ sum F (new_p w p h) = 1 /\
  forall f, (f < F)%nat -> 0 <= new_p w p h f /\ (0 < a -> 0 < new_p w p h f).
Proof.
  intros Hh. assert (NP : 0 < INR n) by (apply (lt_INR 0); auto). assert (FP : 0 < INR F) by (apply (lt_INR 0); auto).
  split; [apply Rmult_le_pos; [apply mass_nonneg; auto|left; apply Rinv_0_lt_compat; auto]|]. split.
  - unfold new_p. destruct (Req_EM_T _ 0); [rewrite sum_const; field; lra|].
    rewrite (sum_ext F _ (fun f => / sum F (pseudo w p h) * pseudo w p h f)) by (intros; field; auto).
    rewrite sum_scale. field. auto.
  - intros f Hf. pose proof (pseudo_nonneg h f Hh). split; [|intros; apply new_p_pos; auto; lra].
    destruct (Req_dec (pseudo w p h f) 0) as [Z|]; [|left; apply new_p_pos; auto].
    unfold new_p. destruct (Req_EM_T _ 0); [left; apply Rdiv_lt_0_compat; lra|rewrite Z; lra].
Qed.

Theorem m_step_valid : valid (new_w w p) (new_p w p).
Proof.
  assert (NP : 0 < INR n) by (apply (lt_INR 0); auto). split; [|split; [|apply step_shares]].
  - unfold new_w. rewrite (sum_ext H _ (fun h => / INR n * node_mass w p h)) by (intros; field; lra).
    rewrite sum_scale, masses_sum. field. lra.
  - intros i Hi. destruct (zero_or_not H (resp w p i)) as [Z|[h [Hh N]]].
    { pose proof (resp_sums i Hi) as O. rewrite sum_zero in O; auto; lra. }
    eapply Rlt_le_trans; [apply (supported_joint _ _ _ _ i h step_supports Hi Hh N)|].
    apply term_below_sum; auto. intros g Hg. destruct (step_shares g Hg) as [W [_ Q]].
    apply Rmult_le_pos; auto. apply prod_nonneg. intros f Hf. apply pow_le, Q; auto.
Qed.
End Step.
End EM.
