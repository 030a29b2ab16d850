(* Statement: with nodes weighted by tokens and nothing smoothed, the product of sums is naive Bayes, whatever the
   responsibilities; with document weights or Laplace smoothing it is not. One class throughout.
   Source: Carlos & Rakshit (2016), section 3.2, eq. (18) to (32). Python: nbcore.hierarchical.m_step,
   nbcore.hierarchical.MultinomialLeaf.estimate, nbcore.hierarchical.mix_nodes, nbcore.hierarchical.product_of_sums. *)
From NB Require Import Finite.

Section OneClass.
Variables (n F H : nat) (x r : nat -> nat -> R).  (* documents, features, nodes; x i f counts, r i h responsibilities *)
Hypotheses (Counts : forall i f, (i < n)%nat -> (f < F)%nat -> 0 <= x i f)
  (Shares : forall i h, (i < n)%nat -> (h < H)%nat -> 0 <= r i h).
Hypothesis eq_26 : forall i, (i < n)%nat -> sum H (r i) = 1.

Definition tokens i := sum F (x i).                            (* tokens of document i *)
Definition N := sum n tokens.                                  (* tokens of the class *)
Definition count f := sum n (fun i => x i f).                  (* C(f) *)
Definition count_at h f := sum n (fun i => r i h * x i f).     (* C_h(f) *)
Definition tokens_at h := sum n (fun i => r i h * tokens i).
Definition naive_bayes f := count f / N.                       (* eq. (20) *)
Definition node h := tokens_at h / N.                          (* eq. (22), (27): token weights *)
Definition leaf h f := count_at h f / tokens_at h.             (* eq. (23), (28) *)
Definition node_by_documents h := sum n (fun i => r i h) / INR n.   (* eq. (7): what EM of section 2.5 learns *)
Definition smoothed_leaf a h f := (count_at h f + a) / (tokens_at h + a * INR F).
Definition smoothed_node a h := (tokens_at h + a * INR F) / (N + INR H * (a * INR F)).    (* smooth_nodes=True *)
Hypothesis Tokens : 0 < N.

(* eq. (21): the counts at the nodes sum to the count of the class *)
Theorem counts_add_up f : sum H (fun h => count_at h f) = count f.
Proof.
  unfold count_at. rewrite <- sum_swap. apply sum_ext. intros i Hi.
  rewrite (sum_ext H _ (fun h => x i f * r i h)) by (intros; ring). rewrite sum_scale, eq_26; auto; ring.
Qed.

Lemma tokens_add_up : sum H tokens_at = N.
Proof.
  unfold tokens_at. rewrite <- sum_swap. apply sum_ext. intros i Hi.
  rewrite (sum_ext H _ (fun h => tokens i * r i h)) by (intros; ring). rewrite sum_scale, eq_26; auto; ring.
Qed.

Lemma count_at_below h f : (h < H)%nat -> (f < F)%nat -> 0 <= count_at h f <= tokens_at h.
Proof.
  intros Hh Hf. split; [apply sum_nonneg; intros; apply Rmult_le_pos; auto|].
  apply sum_le. intros i Hi. apply Rmult_le_compat_l; auto. unfold tokens. rewrite (sum_apart F f) by auto.
  enough (0 <= sum F (but f 0 (x i))) by lra. apply sum_nonneg. intros k Hk. at_index k f; auto.
Qed.

Lemma leaf_times_node h f : (h < H)%nat -> (f < F)%nat -> leaf h f * node h = count_at h f / N.
Proof.
  intros Hh Hf. unfold leaf, node. destruct (Req_dec (tokens_at h) 0) as [Z|]; [|field; lra].
  replace (count_at h f) with 0 by (pose proof (count_at_below h f Hh Hf); lra). rewrite Z. lra.
Qed.

(* eq. (19), (25), (32): for any responsibilities, hard or soft. A node without tokens has weight 0, so that its leaf,
   which is 0 / 0, does not count. *)
Theorem product_of_sums_is_naive_bayes f : (f < F)%nat -> sum H (fun h => leaf h f * node h) = naive_bayes f.
Proof.
  intros Hf. rewrite (sum_ext H _ (fun h => / N * count_at h f)).
  - rewrite sum_scale, counts_add_up. unfold naive_bayes. field. lra.
  - intros h Hh. rewrite leaf_times_node by auto. field. lra.
Qed.

(* eq. (18): so every document z has the same likelihood under both *)
Corollary same_likelihood z :
  prod F (fun f => sum H (fun h => leaf h f * node h) ^ z f) = prod F (fun f => naive_bayes f ^ z f).
Proof. apply prod_ext. intros f Hf. rewrite product_of_sums_is_naive_bayes; auto. Qed.

(* Laplace: smoothing the nodes by a F pseudo-tokens restores it, against naive Bayes with alpha = a H. *)
Theorem smoothed_product_of_sums a f : 0 < a -> (f < F)%nat ->
  sum H (fun h => smoothed_leaf a h f * smoothed_node a h) = (count f + a * INR H) / (N + a * INR H * INR F).
Proof.
  intros A Hf. unfold smoothed_leaf, smoothed_node. assert (FP : 0 < INR F) by (apply (lt_INR 0); lia).
  pose proof (pos_INR H).
  assert (D : 0 < N + a * INR H * INR F) by (assert (0 <= a * INR H * INR F) by (repeat apply Rmult_le_pos; lra); lra).
  rewrite (sum_ext H _ (fun h => / (N + a * INR H * INR F) * (count_at h f + a))).
  - rewrite sum_scale, sum_plus, sum_const, counts_add_up. field. lra.
  - intros h Hh. pose proof (count_at_below h f Hh Hf). assert (0 < a * INR F) by (apply Rmult_lt_0_compat; lra).
    replace (INR H * (a * INR F)) with (a * INR H * INR F) by ring. field. lra.
Qed.

(* Document weights (true EM) are equal to token weights if the documents of every node are equally long on average. *)
Theorem equal_lengths_suffice L h : (forall h, (h < H)%nat -> tokens_at h = L * sum n (fun i => r i h)) ->
  (h < H)%nat -> node_by_documents h = node h.
Proof.
  intros E Hh. assert (EN : N = L * INR n).
  { rewrite <- tokens_add_up, (sum_ext H _ (fun h => L * sum n (fun i => r i h))), sum_scale, <- sum_swap by auto.
    rewrite (sum_ext n _ (fun _ => 1)), sum_const by auto. ring. }
  assert (INR n <> 0 /\ L <> 0) as [Hn HL] by (split; intros Z; rewrite Z in EN; lra).
  unfold node, node_by_documents. rewrite EN, E by auto. field. auto.
Qed.
End OneClass.

(* Elsewhere they may not be. Documents "a" and "b b b", each at a node of its own: P(a) = 1/2 instead of 1/4. *)
Definition docs (i f : nat) : R := match i, f with O, O => 1 | S O, S O => 3 | _, _ => 0 end.
Definition own (i h : nat) : R := if i =? h then 1 else 0.

Ltac compute_all := unfold own, smoothed_leaf, leaf, node, node_by_documents, naive_bayes, count_at, tokens_at, count,
  N, tokens; simpl.

Example the_theorem_applies : sum 2 (fun h => leaf 2 2 docs own h 0 * node 2 2 docs own h) = naive_bayes 2 2 docs 0.
Proof.
  apply product_of_sums_is_naive_bayes; try lia; try (compute_all; lra).
  - intros [|[|]] [|[|]] _ _; simpl; lra.
  - intros i h _ _. unfold own. destruct (i =? h); lra.
  - intros [|[|]] Hi; try lia; compute_all; lra.
Qed.

Theorem document_weights_fail :
  sum 2 (fun h => leaf 2 2 docs own h 0 * node_by_documents 2 own h) = 1 / 2 /\ naive_bayes 2 2 docs 0 = 1 / 4.
Proof. compute_all. split; field. Qed.

(* So a decision can flip: against a class of two documents "a b b" (P(a) = 1/3 by either rule) of equal prior, the word
   "a" goes to the other class by naive Bayes, and to this one by the product of sums. *)
Definition abb (i f : nat) : R := match f with O => 1 | S O => 2 | _ => 0 end.

Theorem document_weights_flip_a_decision :
  let product_of_sums x := sum 2 (fun h => leaf 2 2 x own h 0 * node_by_documents 2 own h) in
  naive_bayes 2 2 docs 0 < naive_bayes 2 2 abb 0 /\ product_of_sums docs > product_of_sums abb.
Proof.
  intros product_of_sums. replace (product_of_sums docs) with (1 / 2) by (symmetry; apply document_weights_fail).
  replace (product_of_sums abb) with (1 / 3) by (unfold product_of_sums; compute_all; field). compute_all. lra.
Qed.

(* With Laplace's a = 1 in the leaves and in naive Bayes, section 4 of the paper, eq. (19) fails: 19/60, 20/60. *)
Theorem laplace_fails :
  sum 2 (fun h => smoothed_leaf 2 2 docs own 1 h 0 * node 2 2 docs own h) = 19 / 60 /\
  (count 2 docs 0 + 1) / (N 2 2 docs + 1 * INR 2) = 20 / 60.
Proof. compute_all. split; field. Qed.

(* The log of prior times product is linear in the counts z: section 3.2, "a linear hyperplane separator". *)
Theorem log_linear F p z prior : 0 < prior -> (forall f, (f < F)%nat -> 0 < p f) ->
  ln (prior * prod F (fun f => p f ^ z f)) = ln prior + sum F (fun f => INR (z f) * ln (p f)).
Proof.
  intros P H. assert (forall f, (f < F)%nat -> 0 < p f ^ z f) by (intros; apply pow_lt; auto).
  rewrite ln_mult, ln_prod; auto using prod_pos. f_equal. apply sum_ext. intros f Hf. apply ln_pow; auto.
Qed.
