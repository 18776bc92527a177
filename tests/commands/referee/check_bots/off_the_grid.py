# Plays Tron in the dialect of CodinGame. Marks every cell, and does not know where the grid ends.
taken = set()
while True:
    players, me = map(int, input().split())
    for seat in range(players):
        tail_x, tail_y, x, y = map(int, input().split())
        taken |= {(tail_x, tail_y), (x, y)}
        if seat == me:
            own = (x, y)
    for word, dx, dy in [("RIGHT", 1, 0), ("DOWN", 0, 1), ("LEFT", -1, 0), ("UP", 0, -1)]:
        if (own[0] + dx, own[1] + dy) not in taken:
            break
    print(word, flush=True)
