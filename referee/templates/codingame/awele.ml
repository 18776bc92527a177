(* A bot for CodinGame's Oware Abapa that plays legal moves. Put your own code into [choose].
   The same file plays in the arena and here. *)

(* Returns the pits that may be sown: an opponent without seeds must get some. *)
let legal_moves pits =
  let starving = Array.for_all (fun seeds -> seeds = 0) (Array.sub pits 6 6) in
  let least pit = if starving then 6 - pit else 1 in
  List.filter (fun pit -> pits.(pit) >= least pit) [ 0; 1; 2; 3; 4; 5 ]

(* Returns your move: a pit from 0 to 5, within 50 ms (1 s for the first one). [pits] holds the
   seeds of your six pits, then of the opponent's six, in sowing order. *)
let choose pits =
  let legal = legal_moves pits in
  List.nth legal (Random.int (List.length legal))

let rec play () =
  let pits = Array.init 12 (fun _ -> Scanf.scanf " %d" (fun seeds -> seeds)) in
  (* Notes go to standard error: [prerr_endline]. [print_endline] flushes. *)
  print_endline (string_of_int (choose pits));
  play ()

let () = try play () with End_of_file | Scanf.Scan_failure _ -> ()
