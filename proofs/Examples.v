(* Written by examples.py: do not edit. Each value is a formula of a page, evaluated in exact fractions. *)
From NB Require Import Rows.
Example row_0 : f 2 0 (vector [(8 / 11); (3 / 11)]) = (64 / 121).
Proof. exactly. Qed.
Example row_1 : upper 2 (8 / 11) = (8 / 11).
Proof. exactly. Qed.
Example row_2 : upper 2 (5 / 9) = (5 / 9).
Proof. exactly. Qed.
Example row_3 : (8 / 11) ^ 2 / ((5 / 9) * upper 2 (5 / 9)) = (5184 / 3025).
Proof. exactly. Qed.
Example row_4 : (8 / 11) * upper 2 (8 / 11) / (5 / 9) ^ 2 = (5184 / 3025).
Proof. exactly. Qed.
Example row_5 : categorical 2 0 (vector [(1 / 3); (2 / 3)]) (table [[(8 / 11); (3 / 11)]; [(5 / 9); (4 / 9)]]) 0 = (36
  / 91).
Proof. exactly. Qed.
Example row_6 : one_hot 2 2 0 (vector [(1 / 3); (2 / 3)]) (table [[(8 / 11); (3 / 11)]; [(5 / 9); (4 / 9)]]) 0 = (2592
  / 5617).
Proof. exactly. Qed.
Example row_7 : smoothed 2 (vector [5; 3]) (1 / 2) 0 = (11 / 18).
Proof. exactly. Qed.
Example row_8 : smoothed 2 (vector [5; 3]) (1 / 2) 0 = (11 / 18).
Proof. exactly. Qed.
Example row_9 : smoothed 2 (vector [5; 3]) (1 / 2) 0 = (11 / 18).
Proof. exactly. Qed.
Example row_10 : f 3 0 (vector [(5 / 18); (1 / 2); (2 / 9)]) = (35 / 324).
Proof. exactly. Qed.
Example row_11 : upper 3 (5 / 18) = (529 / 1296).
Proof. exactly. Qed.
Example row_12 : upper 3 (8 / 21) = (841 / 1764).
Proof. exactly. Qed.
Example row_13 : (5 / 18) ^ 2 / ((8 / 21) * upper 3 (8 / 21)) = (8575 / 20184).
Proof. exactly. Qed.
Example row_14 : (5 / 18) * upper 3 (5 / 18) / (8 / 21) ^ 2 = (129605 / 165888).
Proof. exactly. Qed.
Example row_15 : categorical 2 0 (vector [(1 / 3); (2 / 3)]) (table [[(5 / 18); (1 / 2); (2 / 9)]; [(8 / 21); (2 / 7);
  (1 / 3)]]) 0 = (35 / 131).
Proof. exactly. Qed.
Example row_16 : one_hot 2 3 0 (vector [(1 / 3); (2 / 3)]) (table [[(5 / 18); (1 / 2); (2 / 9)]; [(8 / 21); (2 / 7);
  (1 / 3)]]) 0 = (343 / 1495).
Proof. exactly. Qed.
Example row_17 : smoothed 3 (vector [4; 5; 4]) (1 / 3) 0 = (13 / 42).
Proof. exactly. Qed.
Example row_18 : smoothed 3 (vector [4; 5; 4]) (1 / 3) 0 = (13 / 42).
Proof. exactly. Qed.
Example row_19 : smoothed 3 (vector [4; 5; 4]) (1 / 3) 0 = (13 / 42).
Proof. exactly. Qed.
Example row_20 : f 5 0 (vector [(4 / 33); (5 / 33); (3 / 11); (2 / 11); (3 / 11)]) = (7168 / 161051).
Proof. exactly. Qed.
Example row_21 : upper 5 (4 / 33) = (112550881 / 303595776).
Proof. exactly. Qed.
Example row_22 : upper 5 (1 / 13) = (10000 / 28561).
Proof. exactly. Qed.
Example row_23 : (4 / 33) ^ 2 / ((1 / 13) * upper 5 (1 / 13)) = (371293 / 680625).
Proof. exactly. Qed.
Example row_24 : (4 / 33) * upper 5 (4 / 33) / (1 / 13) ^ 2 = (19021098889 / 2504665152).
Proof. exactly. Qed.
Example row_25 : categorical 2 0 (vector [(1 / 3); (2 / 3)]) (table [[(4 / 33); (5 / 33); (3 / 11); (2 / 11); (3 /
  11)]; [(1 / 13); (2 / 13); (4 / 13); (3 / 26); (9 / 26)]]) 0 = (26 / 59).
Proof. exactly. Qed.
Example row_26 : one_hot 2 5 0 (vector [(1 / 3); (2 / 3)]) (table [[(4 / 33); (5 / 33); (3 / 11); (2 / 11); (3 / 11)];
  [(1 / 13); (2 / 13); (4 / 13); (3 / 26); (9 / 26)]]) 0 = (5322856448 / 11556979607).
Proof. exactly. Qed.
Example row_27 : smoothed 5 (vector [1; 3; 0; 2; 5]) (1 / 5) 0 = (1 / 10).
Proof. exactly. Qed.
Example row_28 : smoothed 5 (vector [1; 3; 0; 2; 5]) (1 / 5) 0 = (1 / 10).
Proof. exactly. Qed.
Example row_29 : smoothed 5 (vector [1; 3; 0; 2; 5]) (1 / 5) 0 = (1 / 10).
Proof. exactly. Qed.
Example row_30 : eq_19 2 (vector [(1 / 216); (1 / 27)]) (vector [(2 / 3); (1 / 3)]) 2 3 0 = (1 / 3).
Proof. unfold eq_19, normalised, vector. simpl.
  rewrite (power_is 3 2 (1 / 216) (2 / 3) (1 / 6)) by (lia || (simpl; lra)).
  rewrite (power_is 3 2 (1 / 27) (2 / 3) (1 / 3)) by (lia || (simpl; lra)).
  simpl. lra. Qed.
Example row_31 : eq_19 2 (vector [(1 / 216); (1 / 27)]) (vector [(2 / 3); (1 / 3)]) 2 3 1 = (2 / 3).
Proof. unfold eq_19, normalised, vector. simpl.
  rewrite (power_is 3 2 (1 / 216) (2 / 3) (1 / 6)) by (lia || (simpl; lra)).
  rewrite (power_is 3 2 (1 / 27) (2 / 3) (1 / 3)) by (lia || (simpl; lra)).
  simpl. lra. Qed.
Example row_32 : eq_20 2 (vector [(2 / 27); (1 / 108)]) (vector [(1 / 2); (1 / 2)]) 2 2 0 = (4 / 5).
Proof. unfold eq_20, normalised, vector. simpl.
  rewrite (power_is 3 2 ((2 / 27) * (1 / 2)) (2 / (2 + 1)) (1 / 3)) by (lia || (simpl; lra)).
  rewrite (power_is 3 2 ((1 / 108) * (1 / 2)) (2 / (2 + 1)) (1 / 6)) by (lia || (simpl; lra)).
  simpl. lra. Qed.
Example row_33 : eq_20 2 (vector [(2 / 27); (1 / 108)]) (vector [(1 / 2); (1 / 2)]) 2 2 1 = (1 / 5).
Proof. unfold eq_20, normalised, vector. simpl.
  rewrite (power_is 3 2 ((2 / 27) * (1 / 2)) (2 / (2 + 1)) (1 / 3)) by (lia || (simpl; lra)).
  rewrite (power_is 3 2 ((1 / 108) * (1 / 2)) (2 / (2 + 1)) (1 / 6)) by (lia || (simpl; lra)).
  simpl. lra. Qed.
Example row_34 : sum 2 (joint 2 (counts [[1; 0]; [0; 3]]%nat) (vector [(7 / 15); (8 / 15)]) (table [[(2 / 5); (3 /
  5)]; [(6 / 13); (7 / 13)]]) 1) = (758233 / 4119375).
Proof. exactly. Qed.
Example row_35 : prod 2 (fun f => sum 2 (fun h => (table [[(2 / 5); (3 / 5)]; [(6 / 13); (7 / 13)]]) h f * (vector [(7
  / 15); (8 / 15)]) h) ^ (counts [[1; 0]; [0; 3]]%nat) 1 f) = (169112377 / 926859375).
Proof. exactly. Qed.
Example row_36 : leaf 2 2 (table [[1; 0]; [0; 3]]) (table [[(91 / 211); (120 / 211)]; [(59319 / 108319); (49000 /
  108319)]]) 0 0 = (758233 / 3646612).
Proof. exactly. Qed.
Example row_37 : new_p 2 2 2 (counts [[1; 0]; [0; 3]]%nat) 0 (vector [(7 / 15); (8 / 15)]) (table [[(2 / 5); (3 / 5)];
  [(6 / 13); (7 / 13)]]) 0 0 = (758233 / 3646612).
Proof. exactly. Qed.
Example row_38 : node_by_documents 2 (table [[(91 / 211); (120 / 211)]; [(59319 / 108319); (49000 / 108319)]]) 0 =
  (11186669 / 22855309).
Proof. exactly. Qed.
Example row_39 : new_w 2 2 2 (counts [[1; 0]; [0; 3]]%nat) (vector [(7 / 15); (8 / 15)]) (table [[(2 / 5); (3 / 5)];
  [(6 / 13); (7 / 13)]]) 0 = (11186669 / 22855309).
Proof. exactly. Qed.
Example row_40 : sum 2 (fun h => leaf 2 2 (table [[1; 0]; [0; 3]]) (table [[(91 / 211); (120 / 211)]; [(59319 /
  108319); (49000 / 108319)]]) h 0 * node 2 2 (table [[1; 0]; [0; 3]]) (table [[(91 / 211); (120 / 211)]; [(59319 /
  108319); (49000 / 108319)]]) h) = (1 / 4).
Proof. exactly. Qed.
Example row_41 : naive_bayes 2 2 (table [[1; 0]; [0; 3]]) 0 = (1 / 4).
Proof. exactly. Qed.
Example row_42 : smoothed_node 2 2 2 (table [[1; 0]; [0; 3]]) (table [[(91 / 211); (120 / 211)]; [(59319 / 108319);
  (49000 / 108319)]]) (1 / 2) 0 = (70261265 / 137131854).
Proof. exactly. Qed.
Example row_43 : sum 2 (joint 2 (counts [[2; 1]; [1; 1]]%nat) (vector [(1 / 2); (1 / 2)]) (table [[(2 / 5); (3 / 5)];
  [(1 / 2); (1 / 2)]]) 1) = (49 / 200).
Proof. exactly. Qed.
Example row_44 : prod 2 (fun f => sum 2 (fun h => (table [[(2 / 5); (3 / 5)]; [(1 / 2); (1 / 2)]]) h f * (vector [(1 /
  2); (1 / 2)]) h) ^ (counts [[2; 1]; [1; 1]]%nat) 1 f) = (99 / 400).
Proof. exactly. Qed.
Example row_45 : leaf 2 2 (table [[2; 1]; [1; 1]]) (table [[(96 / 221); (125 / 221)]; [(24 / 49); (25 / 49)]]) 0 0 =
  (613 / 1030).
Proof. exactly. Qed.
Example row_46 : new_p 2 2 2 (counts [[2; 1]; [1; 1]]%nat) 0 (vector [(1 / 2); (1 / 2)]) (table [[(2 / 5); (3 / 5)];
  [(1 / 2); (1 / 2)]]) 0 0 = (613 / 1030).
Proof. exactly. Qed.
Example row_47 : node_by_documents 2 (table [[(96 / 221); (125 / 221)]; [(24 / 49); (25 / 49)]]) 0 = (5004 / 10829).
Proof. exactly. Qed.
Example row_48 : new_w 2 2 2 (counts [[2; 1]; [1; 1]]%nat) (vector [(1 / 2); (1 / 2)]) (table [[(2 / 5); (3 / 5)]; [(1
  / 2); (1 / 2)]]) 0 = (5004 / 10829).
Proof. exactly. Qed.
Example row_49 : sum 2 (fun h => leaf 2 2 (table [[2; 1]; [1; 1]]) (table [[(96 / 221); (125 / 221)]; [(24 / 49); (25
  / 49)]]) h 0 * node 2 2 (table [[2; 1]; [1; 1]]) (table [[(96 / 221); (125 / 221)]; [(24 / 49); (25 / 49)]]) h) = (3
  / 5).
Proof. exactly. Qed.
Example row_50 : naive_bayes 2 2 (table [[2; 1]; [1; 1]]) 0 = (3 / 5).
Proof. exactly. Qed.
Example row_51 : smoothed_node 2 2 2 (table [[2; 1]; [1; 1]]) (table [[(96 / 221); (125 / 221)]; [(24 / 49); (25 /
  49)]]) (1 / 2) 0 = (35549 / 75803).
Proof. exactly. Qed.
