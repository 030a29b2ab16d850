(* Statement: the bounds of Q^-j are reached, the threshold is sharp, and two printed sentences need K >= 3 or ">=".
   Source: Williams (2024), sections 1 and 2, eq. (8) to (13). Python: nbcore.one_hot.q_bounds,
   nbcore.one_hot.f_bounds, nbcore.one_hot.extremeness_threshold, nbcore.one_hot.f_ratio_bounds. *)
From NB Require Import Finite OneHot OneHotRatio.

(* Value 0 has probability t. Corner: value 1 takes all the rest. Centre: the others share it equally. *)
Definition corner (t : R) (k : nat) : R := match k with O => t | S O => 1 - t | _ => 0 end.
Definition centre (K : nat) (t : R) (k : nat) : R := match k with O => t | _ => (1 - t) / (INR K - 1) end.

Lemma corner_simplex K t : (2 <= K)%nat -> 0 <= t <= 1 -> simplex K (corner t).
Proof.
  intros HK H. split; [intros [|[|]] _; simpl; lra|].
  rewrite (sum_apart K 0), (sum_apart K 1), sum_zero by lia || (intros [|[|]] _; reflexivity). unfold but. simpl. lra.
Qed.

Lemma centre_simplex K t : (2 <= K)%nat -> 0 <= t <= 1 -> simplex K (centre K t).
Proof.
  intros HK H. assert (KR : 2 <= INR K) by (apply (le_INR 2); auto). set (c := (1 - t) / (INR K - 1)).
  assert (0 <= c) by (apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]; lra).
  split; [intros [|] _; simpl; fold c; lra|]. rewrite (sum_apart K 0) by lia.
  rewrite (sum_ext K _ (but 0 0 (fun _ => c))) by (intros [|] _; reflexivity).
  assert (E := sum_apart K 0 (fun _ => c) ltac:(lia)). rewrite sum_const in E. simpl.
  assert (c * (INR K - 1) = 1 - t) by (unfold c; field; lra). lra.
Qed.

(* eq. (8): the lower bound is the value at a corner, the upper one that at the centre. *)
Theorem bounds_are_reached K t : (2 <= K)%nat -> 0 <= t <= 1 ->
  Q K 0 (corner t) = t /\ Q K 0 (centre K t) = upper K t.
Proof.
  intros HK H. split.
  - apply (Q_lower_bound_iff K 0 (corner t)); [apply corner_simplex; auto|lia|].
    intros [|[|k]] [|[|m]]; simpl; auto; try lia.
  - apply (Q_upper_bound K 0 (centre K t)); [apply centre_simplex; auto|lia|auto|].
    intros [|k] _; simpl; [lia|reflexivity].
Qed.

(* Below eq. (8): "it is greater than theta_j for 0 <= theta_j < 1". That needs K >= 3. *)
Theorem upper_exceeds_theta K t : (3 <= K)%nat -> 0 <= t < 1 -> t < upper K t.
Proof.
  intros HK H. assert (S : simplex K (centre K t)) by (apply centre_simplex; lia || lra).
  destruct (bounds_are_reached K t) as [_ E]; [lia|lra|]. pose proof (Q_lower_bound K 0 _ S ltac:(lia)) as L.
  rewrite E in L. simpl in L. destruct L as [|L]; auto. exfalso.
  assert (KR : 3 <= INR K) by (replace 3 with (INR 3) by (simpl; lra); apply le_INR; auto).
  assert (0 < (1 - t) / (INR K - 1)) by (apply Rdiv_lt_0_compat; lra).
  destruct (proj1 (Q_lower_bound_iff K 0 _ S ltac:(lia)) ltac:(simpl; lra) 1%nat 2%nat); simpl in *; lia || lra.
Qed.

(* At K = 2 the upper bound is theta_j itself, and not greater for any. *)
Theorem upper_exceeds_no_theta_at_two_values t : ~ t < upper 2 t.
Proof. rewrite upper_at_two_values. lra. Qed.

Lemma upper_grows_with_K K t : (2 <= K)%nat -> 0 <= t < 1 -> upper K t < upper (S K) t.
Proof.
  intros HK H. set (w := fun k => if k =? K then 0 else centre K t k).
  assert (E : forall k, (k < K)%nat -> w k = centre K t k) by (intros k Hk; unfold w; destruct (Nat.eqb_spec k K);
    lia || auto).
  assert (EK : w K = 0) by (unfold w; rewrite Nat.eqb_refl; auto).
  assert (T : 0 <= t <= 1) by lra. destruct (centre_simplex K t HK T) as [P One].
  assert (Sw : simplex (S K) w).
  { split; [intros k Hk; destruct (Nat.eq_dec k K); [subst; lra|rewrite E by lia; apply P; lia]|].
    simpl. rewrite (sum_ext K w (centre K t)); auto; lra. }
  destruct (Q_upper_bound (S K) 0 w Sw) as [U I]; [lia|lia|]. rewrite (E 0%nat) in U, I by lia. simpl centre in U, I.
  destruct U as [U|U].
  2: { apply I with (k := K) in U; [|lia|lia]. rewrite EK, S_INR in U. assert (0 < INR K) by (apply (lt_INR 0); lia).
    assert (0 < (1 - t) / (INR K + 1 - 1)) by (apply Rdiv_lt_0_compat; lra). lra. }
  rewrite <- (proj2 (bounds_are_reached K t HK T)). eapply Rle_lt_trans; [right|apply U].
  unfold Q. simpl prod. unfold but at 3. replace (K =? 0) with false by (symmetry; apply Nat.eqb_neq; lia).
  rewrite EK, (prod_ext K (but 0 1 (fun k => 1 - w k)) (but 0 1 (fun k => 1 - centre K t k))); [ring|].
  intros k Hk. at_index k 0%nat; rewrite E; auto.
Qed.

(* Section 2, "the gap between the upper and lower bounds is small, and it is even smaller for lower K" *)
Theorem gap_grows_with_K K t : (2 <= K)%nat -> 0 < t < 1 -> t * upper K t - t ^ 2 < t * upper (S K) t - t ^ 2.
Proof. intros HK H. pose proof (upper_grows_with_K K t HK ltac:(lra)). nra. Qed.

(* eq. (13) is sharp: at the threshold and below it there are classes c, d whose ratio does not become more extreme. *)
Theorem threshold_is_sharp K tc td : (2 <= K)%nat -> 0 < tc <= 1 -> 0 < td <= 1 -> tc <= upper K td ->
  exists c d, simplex K c /\ simplex K d /\ c O = tc /\ d O = td /\ f K 0 c / f K 0 d <= tc / td.
Proof.
  intros HK C D T. exists (corner tc), (centre K td).
  assert (Sc : simplex K (corner tc)) by (apply corner_simplex; lra || auto).
  assert (Sd : simplex K (centre K td)) by (apply centre_simplex; lra || auto).
  repeat split; try apply Sc; try apply Sd. apply Rnot_lt_le. intros R.
  apply (ratio_grows_iff K 0 (corner tc) (centre K td) Sd ltac:(lia)) in R; simpl; try lra.
  destruct (bounds_are_reached K tc), (bounds_are_reached K td); auto; lra.
Qed.

(* eq. (12) is printed with ">". Here both sides are equal. *)
Theorem eq_12_is_not_strict : exists c d, simplex 2 c /\ simplex 2 d /\ 0 < d O /\
  f 2 0 c / f 2 0 d = c O ^ 2 / (d O * upper 2 (d O)).
Proof.
  exists (corner (1 / 2)), (corner (1 / 3)). repeat split; try (apply corner_simplex; lra || lia).
  - simpl; lra.
  - rewrite odds_square_at_two_values; try (apply corner_simplex; lra || lia); try lia; rewrite ?upper_at_two_values;
    simpl; field || lra.
Qed.

(* Section 2, "In general this does not hold": a larger theta can become a smaller f; K = 3, theta_j = .30 and .28. *)
Theorem order_can_flip : exists c d, simplex 3 c /\ simplex 3 d /\ c O > d O /\ f 3 0 c < f 3 0 d.
Proof.
  exists (corner (30 / 100)), (centre 3 (28 / 100)).
  split; [apply corner_simplex; lra || lia|]. split; [apply centre_simplex; lra || lia|].
  split; [simpl; lra|]. unfold f. destruct (bounds_are_reached 3 (30 / 100)) as [-> _]; [lia|lra|].
  destruct (bounds_are_reached 3 (28 / 100)) as [_ ->]; [lia|lra|]. unfold upper. simpl. lra.
Qed.

(* Section 2: "both bounds pass through the origin and are convex functions", l = theta^2 and u = theta * upper *)
Theorem bounds_are_convex K a b s (u := fun t => t * upper K t) : (2 <= K)%nat -> 0 <= a -> 0 <= b -> 0 <= s <= 1 ->
  0 ^ 2 = 0 /\ u 0 = 0 /\ (s * a + (1 - s) * b) ^ 2 <= s * a ^ 2 + (1 - s) * b ^ 2 /\
  u (s * a + (1 - s) * b) <= s * u a + (1 - s) * u b.
Proof.
  intros HK A B S. split; [lra|]. split; [unfold u; lra|]. assert (SS : 0 <= s * (1 - s)) by nra.
  split; [assert (0 <= s * (1 - s) * (a - b) ^ 2) by (apply Rmult_le_pos; [auto|apply pow2_ge_0]); nra|].
  assert (KR : 2 <= INR K) by (apply (le_INR 2); auto). pose (h := fun t => (INR K - 2 + t) / (INR K - 1)).
  assert (Step : forall m, let g t := t * h t ^ m in
    0 <= g a /\ 0 <= g b /\ 0 <= (g a - g b) * (a - b) /\ g (s * a + (1 - s) * b) <= s * g a + (1 - s) * g b).
  { assert (D : 0 < / (INR K - 1)) by (apply Rinv_0_lt_compat; lra).
    assert (Ha : 0 <= h a) by (apply Rmult_le_pos; lra). assert (Hb : 0 <= h b) by (apply Rmult_le_pos; lra).
    assert (Hd : h a - h b = (a - b) * / (INR K - 1)) by (unfold h, Rdiv; ring).
    assert (Hm : h (s * a + (1 - s) * b) = s * h a + (1 - s) * h b) by (unfold h; field; lra).
    pose proof (pow2_ge_0 (a - b)). induction m; simpl; [repeat split; nra|]. destruct IHm as [Ga [Gb [Gd Gm]]].
    set (x := a * h a ^ m) in *. set (y := b * h b ^ m) in *. set (z := (s * a + (1 - s) * b) * _ ^ m) in *.
    replace (a * (h a * h a ^ m)) with (x * h a) by (unfold x; ring).
    replace (b * (h b * h b ^ m)) with (y * h b) by (unfold y; ring).
    replace ((s * a + (1 - s) * b) * _) with (z * h (s * a + (1 - s) * b)) by (unfold z; ring). rewrite Hm.
    assert (X : (h a - h b) * (x - y) = (x - y) * (a - b) * / (INR K - 1)) by (rewrite Hd; ring).
    assert (XP : 0 <= (h a - h b) * (x - y)) by (rewrite X; apply Rmult_le_pos; lra).
    assert (HM : 0 <= s * h a + (1 - s) * h b) by nra.
    split; [apply Rmult_le_pos; auto|]. split; [apply Rmult_le_pos; auto|]. split.
    - replace ((x * h a - y * h b) * (a - b)) with (h a * ((x - y) * (a - b)) + y * ((a - b) * (a - b) * / (INR K - 1)))
        by (replace (h b) with (h a - (a - b) * / (INR K - 1)) by lra; ring).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto. apply Rmult_le_pos; [nra|lra].
    - apply Rle_trans with ((s * x + (1 - s) * y) * (s * h a + (1 - s) * h b)); [apply Rmult_le_compat_r; auto|].
      assert (0 <= s * (1 - s) * ((h a - h b) * (x - y))) by (apply Rmult_le_pos; auto). nra. }
  apply (Step (K - 1)%nat).
Qed.
