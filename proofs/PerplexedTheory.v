(* Statement: where eq. (10) holds, eq. (8) and eq. (15) are exact. Eq. (17) does not follow from it, but does where
   every combination of values is possible. Source: Carlos (2015), sections 4.1 to 4.3, eq. (9) to (17). Python:
   nbcore.perplexed.attenuated_posterior, nbcore.perplexed.arithmetic_posterior. *)
From NB Require Import Finite Perplexed.

Lemma power_pow x n : 0 <= x -> (0 < n)%nat -> power (x ^ n) (1 / INR n) = x.
Proof.
  intros X N. assert (0 < INR n) by (apply (lt_INR 0); auto). unfold power.
  destruct (Req_EM_T (x ^ n) 0) as [Z|Z].
  - destruct (Req_dec x 0) as [|NZ]; auto. apply (pow_nonzero x n) in NZ. contradiction.
  - assert (0 < x) by (destruct X as [|<-]; auto; exfalso; apply Z, pow_i; auto).
    rewrite <- Rpower_pow, Rpower_mult by auto. replace (INR n * (1 / INR n)) with 1 by (field; lra).
    apply Rpower_1; auto.
Qed.

Lemma power_mult x y e : 0 <= x -> 0 <= y -> power (x * y) e = power x e * power y e.
Proof.
  intros X Y. unfold power. destruct (Req_EM_T x 0) as [->|], (Req_EM_T y 0) as [->|], (Req_EM_T _ 0) as [Z|Z]; try lra.
  - apply Rmult_integral in Z. tauto.
  - symmetry. apply Rpower_mult_distr; lra.
Qed.

(* Section 4.2. Eq. (10) says P(c|F) = P(c|f_i) of every feature i; by Bayes' rule P(f_i|c) P(c) = P(c|F) P(f_i). *)
Section Eq_10.
Variables (n C : nat) (likelihood : nat -> nat -> R) (prior evidence posterior : nat -> R).
Hypotheses (Some : (0 < n)%nat) (L : forall i c, 0 <= likelihood i c) (P : forall c, 0 <= prior c)
  (E : forall i, 0 < evidence i) (Q : forall c, 0 <= posterior c) (One : sum C posterior = 1)
  (eq_10 : forall i c, (c < C)%nat -> likelihood i c * prior c = posterior c * evidence i).

Lemma normalised_scale g s c : 0 < g -> (c < C)%nat -> (forall c, (c < C)%nat -> s c = g * posterior c) ->
  normalised C s c = posterior c.
Proof.
  intros G Hc H. unfold normalised. rewrite H, (sum_ext C s (fun c => g * posterior c)), sum_scale, One by auto.
  field. lra.
Qed.

(* eq. (14), which is eq. (8): eq. (19) at k = 1 *)
Theorem eq_8_is_exact c : (c < C)%nat ->
  eq_19 C (fun c => prod n (fun i => likelihood i c)) prior 1 (INR n) c = posterior c.
Proof.
  intros Hc. unfold eq_19. apply normalised_scale with (power (prod n evidence) (1 / INR n)); auto.
  - unfold power. assert (0 < prod n evidence) by (apply prod_pos; auto). destruct (Req_EM_T _ 0); [lra|apply exp_pos].
  - intros b Hb. rewrite <- (power_pow (prior b) n) at 1 by auto. rewrite <- power_mult by auto using prod_nonneg,
      pow_le.
    assert (E12 : prod n (fun i => likelihood i b) * prior b ^ n = posterior b ^ n * prod n evidence).
    { rewrite <- !prod_const, <- !prod_mult. apply prod_ext. auto. }
    rewrite E12, power_mult, power_pow; auto using pow_le; [ring|]. left. apply prod_pos; auto.
Qed.

Theorem eq_15_is_exact c : (c < C)%nat ->
  normalised C (fun c => sum n (fun i => likelihood i c) * prior c) c = posterior c.
Proof.
  intros Hc. apply normalised_scale with (sum n evidence); auto.
  - apply sum_pos; auto.
  - intros b Hb. rewrite !(Rmult_comm (sum n _)), <- !sum_scale. apply sum_ext. intros i Hi.
    rewrite (Rmult_comm (prior b)), eq_10; auto; ring.
Qed.
End Eq_10.

(* The docstring's example of attenuated_posterior(rule="exact"): four copies of one feature, k = 1, gives 3/4. *)
Example four_copies :
  eq_19 2 (fun c => prod 4 (fun _ => if c =? 0 then 3 / 4 else 1 / 4)) (fun _ => 1 / 2) 1 (INR 4) 0 = 3 / 4.
Proof.
  apply (eq_8_is_exact 4 2 (fun _ c => if c =? 0 then 3 / 4 else 1 / 4) (fun _ => 1 / 2) (fun _ => 1 / 2)
    (fun c => if c =? 0 then 3 / 4 else 1 / 4)); try lia; intros; simpl; try lra; destruct (c =? 0); lra.
Qed.

(* Section 4.3 says that eq. (10) makes class and features independent, eq. (16), (17): P(C|F) = P(C). It does not.
   Two copies of one feature: joint probabilities P(c, f1, f2). *)
Definition copies (c f1 f2 : nat) : R := if f1 =? f2 then if c =? f1 then 3 / 8 else 1 / 8 else 0.

Theorem eq_17_does_not_follow :
  sum 2 (fun c => sum 2 (fun f1 => sum 2 (fun f2 => copies c f1 f2))) = 1 /\
  (forall c f1 f2, (c < 2)%nat -> (f1 < 2)%nat -> (f2 < 2)%nat -> 0 < sum 2 (fun b => copies b f1 f2) ->
    let P_c_F := copies c f1 f2 / sum 2 (fun b => copies b f1 f2) in
    P_c_F = sum 2 (fun g => copies c f1 g) / sum 2 (fun b => sum 2 (fun g => copies b f1 g)) /\
    P_c_F = sum 2 (fun g => copies c g f2) / sum 2 (fun b => sum 2 (fun g => copies b g f2))) /\     (* eq. (10) *)
  copies 0 0 0 / sum 2 (fun b => copies b 0 0) = 3 / 4 /\                                              (* P(C|F) *)
  sum 2 (fun f1 => sum 2 (fun f2 => copies 0 f1 f2)) = 1 / 2.                                          (* P(C) *)
Proof.
  unfold copies. simpl. repeat split; try lra.
  - destruct c as [|[|]], f1 as [|[|]], f2 as [|[|]]; simpl in *; lra || lia || field.
  - destruct c as [|[|]], f1 as [|[|]], f2 as [|[|]]; simpl in *; lra || lia || field.
Qed.

(* What is missing: every combination of values must be possible. If eq. (10) holds at each, eq. (17) follows, for any
   number n >= 2 of features; P(C) is the mean of P(C|F) over items of total probability 1, eq. (16). *)
Theorem eq_17_with_full_support n (values : nat -> nat) (P_c_F : (nat -> nat) -> R) (P_c_f : nat -> nat -> R)
  N (item : nat -> nat -> nat) (P_F : nat -> R) : (2 <= n)%nat ->
  (forall F, (forall i, (i < n)%nat -> (F i < values i)%nat) -> forall i, (i < n)%nat -> P_c_F F = P_c_f i (F i)) ->
  (forall t i, (t < N)%nat -> (i < n)%nat -> (item t i < values i)%nat) -> sum N P_F = 1 ->
  forall t, (t < N)%nat -> P_c_F (item t) = sum N (fun t => P_c_F (item t) * P_F t).
Proof.
  intros Two H V One t Ht.
  assert (Const : forall s, (s < N)%nat -> P_c_F (item s) = P_c_F (item t)).
  { intros s Hs. set (F := fun i => if i =? 0 then item s i else item t i).
    assert (FV : forall i, (i < n)%nat -> (F i < values i)%nat) by (intros [|i] Hi; unfold F; simpl; auto).
    rewrite (H (item s) ltac:(auto) 0%nat), (H (item t) ltac:(auto) 1%nat) by lia.
    transitivity (P_c_F F); [symmetry; apply (H F FV 0%nat)|apply (H F FV 1%nat)]; lia. }
  rewrite (sum_ext N _ (fun s => P_c_F (item t) * P_F s)), sum_scale, One; [ring|]. intros s Hs. rewrite Const; auto.
Qed.
