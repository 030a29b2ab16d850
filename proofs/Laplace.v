(* Statement: smoothed shares (count + alpha) / (N + alpha K) are probabilities, all above 0, between the share of the
   counts and 1 / K. Source: "How does Laplacian correction impact Bayes Naive implementation?"; chapter 02.
   Python: nbcore.naive_bayes.MultinomialNB. *)
From NB Require Import Finite.

Section Smoothing.
Variables (K : nat) (count : nat -> R) (a : R).
Hypotheses (Counts : forall i, (i < K)%nat -> 0 <= count i) (Values : (1 <= K)%nat) (Alpha : 0 < a).

Definition total : R := sum K count.
Definition smoothed (i : nat) : R := (count i + a) / (total + a * INR K).

Lemma total_nonneg : 0 <= total. Proof. apply sum_nonneg; auto. Qed.
Lemma K_pos : 0 < INR K. Proof. apply (lt_INR 0); lia. Qed.
Lemma mass_pos : 0 < total + a * INR K. Proof. pose proof total_nonneg; pose proof K_pos; nra. Qed.

Theorem smoothed_sums_to_one : sum K smoothed = 1.
Proof.
  pose proof mass_pos. rewrite (sum_ext K smoothed (fun i => / (total + a * INR K) * (count i + a))) by
    (intros; unfold smoothed; field; lra).
  rewrite sum_scale, sum_plus, sum_const. fold total. field. lra.
Qed.

Theorem smoothed_is_positive i : (i < K)%nat -> 0 < smoothed i.
Proof. intros Hi. pose proof (Counts i Hi). apply Rdiv_lt_0_compat; [lra|apply mass_pos]. Qed.

(* A weighted mean of the share count_i / total and of 1 / K, with weights total and a K: chapter 02. *)
Theorem smoothed_is_a_mean i : 0 < total ->
  smoothed i = total / (total + a * INR K) * (count i / total) + a * INR K / (total + a * INR K) * (1 / INR K).
Proof. intros N. pose proof mass_pos. pose proof K_pos. unfold smoothed. field. lra. Qed.

Theorem smoothed_lies_between i : 0 < total ->
  Rmin (count i / total) (1 / INR K) <= smoothed i <= Rmax (count i / total) (1 / INR K).
Proof.
  intros N. pose proof mass_pos. pose proof K_pos. rewrite smoothed_is_a_mean by auto.
  set (v := total / (total + a * INR K)). replace (a * INR K / (total + a * INR K)) with (1 - v) by (unfold v; field;
    lra).
  assert (0 < v) by (apply Rdiv_lt_0_compat; lra).
  assert (v < 1) by (apply (Rmult_lt_reg_r (total + a * INR K)); auto; unfold v, Rdiv; rewrite Rmult_assoc, Rinv_l;
    nra).
  generalize (count i / total) (1 / INR K). intros x y. unfold Rmin, Rmax. destruct (Rle_dec x y); nra.
Qed.

(* The fault of the source's code: its fallback for an unknown word divides by the sum of the probabilities, which is 1,
   plus K. So the unknown word gets more than a known word that this class never used. *)
Theorem fallback_is_too_large i : count i = 0 -> 1 < total -> smoothed i < a / (sum K smoothed + a * INR K).
Proof.
  intros Z N. rewrite smoothed_sums_to_one. unfold smoothed. rewrite Z, Rplus_0_l. pose proof K_pos.
  apply Rmult_lt_compat_l; auto. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; nra.
Qed.
End Smoothing.
