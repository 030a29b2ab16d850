(* What the rows of Examples.v are written with: vectors, tables, and the tactics that compute their values. *)
From NB Require Export Finite OneHot OneHotRatio OneHotPosterior Laplace HiddenNodes EMModel Perplexed.
From Coq Require Export List.
Export ListNotations.

Definition vector (v : list R) k := nth k v 0.
Definition table (rows : list (list R)) i k := nth k (nth i rows []) 0.
Definition counts (rows : list (list nat)) i k := nth k (nth i rows []) O.

(* The power of the fraction x to the exponent p / m is a fraction: x = y^m, and so the power is y^p. *)
Lemma power_is m p x e y : (0 < m)%nat -> 0 < y -> x = y ^ m -> e * INR m = INR p -> power x e = y ^ p.
Proof.
  intros M Y -> E. assert (0 < y ^ m) by (apply pow_lt; auto). unfold power. destruct (Req_EM_T (y ^ m) 0); [lra|].
  rewrite <- !Rpower_pow, Rpower_mult, Rmult_comm, E; auto.
Qed.

Ltac compute_all := unfold categorical, one_hot, f, Q, upper, but, smoothed, total, leaf, node, node_by_documents,
  naive_bayes, smoothed_node, count_at, tokens_at, count, N, tokens, new_w, new_p, node_mass, pseudo, resp,
  joint, vector, table, counts; simpl.
Ltac exactly := compute_all; try (destruct Req_EM_T as [Z|_]; [exfalso; field_simplify in Z; lra|]); lra || field; lra.
