(* Statement: no additive rule, and so no naive Bayes, sorts the four points of XOR; naive Bayes of counts ties; a sum
   of products with two nodes sorts them. Source: Carlos & Rakshit (2016), section 3.4, figures 1 and 2; chapter 08.
   Python: nbcore.datasets.load_xor, nbcore.hierarchical.HierarchicalBayes. *)
From NB Require Import Finite.

(* Points (1,1), (5,5) of class 0, (1,5), (5,1) of class 1. The log odds of naive Bayes are L x y = b + f x + g y:
   linear for counts, parabolas for bells. A tie may go to either class, but to the same one at all points. *)
Theorem no_additive_rule b (f g : R -> R) (L := fun x y => b + f x + g y) :
  ~ (L 1 1 <= 0 /\ L 5 5 <= 0 /\ L 1 5 > 0 /\ L 5 1 > 0) /\ ~ (L 1 1 < 0 /\ L 5 5 < 0 /\ L 1 5 >= 0 /\ L 5 1 >= 0).
Proof. unfold L. lra. Qed.

(* Three of four are possible, even by a straight line. *)
Theorem three_points_are_possible : exists b u v, b + u + v < 0 /\ b + 5 * u + 5 * v < 0 /\ b + u + 5 * v > 0.
Proof. exists 0, (-2), 1. lra. Qed.

(* The line of figure 2(a) cannot be learnt from these four points: both classes have counts (6, 6), so that naive Bayes
   ties everywhere, with any smoothing a >= 0. *)
Definition learnt (a own all : R) : R := (own + a) / (all + 2 * a).

Theorem naive_bayes_ties a (x y : nat) : 0 <= a ->
  let class_0 := learnt a (1 + 5) 12 ^ x * learnt a (1 + 5) 12 ^ y in
  let class_1 := learnt a (1 + 5) 12 ^ x * learnt a (5 + 1) 12 ^ y in
  1 / 2 * class_0 = 1 / 2 * class_1 /\ class_0 = (1 / 2) ^ (x + y).
Proof.
  intros A. unfold learnt. replace ((1 + 5 + a) / (12 + 2 * a)) with (1 / 2) by (field; lra).
  replace ((5 + 1 + a) / (12 + 2 * a)) with (1 / 2) by (field; lra). rewrite pow_add. simpl. lra.
Qed.

(* Section 3.4.2: a sum of products with two nodes in class 1, and class 0 as one node, gets all four right. *)
Definition class_0 (x y : nat) : R := (1 / 2) ^ x * (1 / 2) ^ y.
Definition class_1 (x y : nat) : R := 1 / 2 * ((1 / 6) ^ x * (5 / 6) ^ y) + 1 / 2 * ((5 / 6) ^ x * (1 / 6) ^ y).

Theorem sum_of_products_solves_xor :
  class_1 1 1 < class_0 1 1 /\ class_1 5 5 < class_0 5 5 /\ class_1 1 5 > class_0 1 5 /\ class_1 5 1 > class_0 5 1.
Proof. unfold class_0, class_1. simpl. lra. Qed.
