(* A bot for CodinGame's Tron Battle that moves to a free cell. Put your own code into [choose].
   The same file plays in the arena and here. *)

let width, height = (30, 20)
let directions = [ ("LEFT", -1, 0); ("RIGHT", 1, 0); ("UP", 0, -1); ("DOWN", 0, 1) ]

(* Maps each occupied cell to its player, and each player in the game to its head. *)
let taken : (int * int, int) Hashtbl.t = Hashtbl.create 600
let heads : (int, int * int) Hashtbl.t = Hashtbl.create 4

let is_free (x, y) =
  0 <= x && x < width && 0 <= y && y < height && not (Hashtbl.mem taken (x, y))

(* Returns your move: LEFT, RIGHT, UP or DOWN, within 100 ms (1 s for the first one). *)
let choose me =
  let x, y = Hashtbl.find heads me in
  match List.filter (fun (_, dx, dy) -> is_free (x + dx, y + dy)) directions with
  | [] -> "LEFT"
  | free ->
      let word, _, _ = List.nth free (Random.int (List.length free)) in
      word

let read player =
  Scanf.scanf " %d %d %d %d" (fun tail_x tail_y x y ->
      if x < 0 then (
        (* It is out, and its trail disappears. *)
        Hashtbl.filter_map_inplace
          (fun _ owner -> if owner = player then None else Some owner)
          taken;
        Hashtbl.remove heads player)
      else (
        List.iter (fun cell -> Hashtbl.replace taken cell player) [ (tail_x, tail_y); (x, y) ];
        Hashtbl.replace heads player (x, y)))

let rec play () =
  let players, me = Scanf.scanf " %d %d" (fun players me -> (players, me)) in
  for player = 0 to players - 1 do
    read player
  done;
  (* Notes go to standard error: [prerr_endline]. [print_endline] flushes. *)
  print_endline (choose me);
  play ()

let () = try play () with End_of_file | Scanf.Scan_failure _ -> ()
