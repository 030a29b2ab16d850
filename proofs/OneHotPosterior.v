(* Statement: when the product of Bernoullis ("PoB") is surer of a class than the categorical model.
   Source: Williams (2024), eq. (2) and (3), and section 3 ("more confident"). Python: the rule of is_surer in
   nbcore.one_hot.dirichlet_experiment; nbcore.one_hot.categorical_posterior,
   nbcore.one_hot.product_of_bernoullis_posterior. *)
From NB Require Import Finite OneHot OneHotRatio.

Section Posteriors.
Variables (C K j : nat) (prior : nat -> R) (theta : nat -> nat -> R).     (* theta c k = P(x = k | class c) *)
Hypotheses (P : forall c, (c < C)%nat -> 0 <= prior c) (S : forall c, (c < C)%nat -> simplex K (theta c))
  (Hj : (j < K)%nat).

Let m c := prior c * theta c j.
Let q c := Q K j (theta c).
Definition categorical c := m c / sum C m.                                                         (* eq. (2) *)
Definition one_hot c := prior c * f K j (theta c) / sum C (fun c => prior c * f K j (theta c)).     (* eq. (3) *)

(* PoB is surer of a class b exactly if Q^-j of b is above the mean of the others' Q^-j, weighted by their m. Written
   without a division, so that it also holds where the others' m sum to 0: then both are certain, and PoB not surer. *)
Theorem one_hot_is_surer_iff b : (b < C)%nat -> 0 < m b -> 0 < q b ->
  (categorical b < one_hot b <-> sum C (but b 0 (fun c => m c * q c)) < q b * sum C (but b 0 m)).
Proof.
  intros Hb M Qb. unfold categorical, one_hot.
  assert (Q0 : forall c, (c < C)%nat -> 0 <= theta c j <= q c).
  { intros c Hc. pose proof (Q_lower_bound K j (theta c) (S c Hc) Hj). destruct (S c Hc) as [T _]. split; auto. }
  assert (M0 : forall c, (c < C)%nat -> 0 <= m c) by (intros c Hc; apply Rmult_le_pos; [auto|apply Q0; auto]).
  assert (F : forall c, prior c * f K j (theta c) = m c * q c) by (intros; unfold f, m, q; ring).
  rewrite F, (sum_ext C (fun c => prior c * f K j (theta c)) (fun c => m c * q c)) by (intros; apply F).
  rewrite (sum_apart C b m), (sum_apart C b (fun c => m c * q c)) by auto.
  set (A := sum C (but b 0 m)). set (B := sum C (but b 0 (fun c => m c * q c))).
  assert (0 <= A) by (apply sum_nonneg; intros c Hc; at_index c b; apply M0; auto).
  assert (0 <= B).
  { apply sum_nonneg. intros c Hc. at_index c b. apply Rmult_le_pos; [apply M0; auto|destruct (Q0 c Hc); lra]. }
  assert (MQ : 0 < m b * q b) by (apply Rmult_lt_0_compat; auto).
  assert (E : m b * q b / (m b * q b + B) - m b / (m b + A) = m b / ((m b * q b + B) * (m b + A)) * (q b * A - B))
    by (field; lra).
  assert (0 < m b / ((m b * q b + B) * (m b + A))) by (apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; lra).
  split; intros; nra.
Qed.

End Posteriors.
