# Plays Tron in the dialect of CodinGame. Marks the heads and not the first cells of the trails, and
# steers for the cell in which another player began.
taken = set()
while True:
    players, me = map(int, input().split())
    for seat in range(players):
        tail_x, tail_y, x, y = map(int, input().split())
        taken.add((x, y))
        if seat == me:
            own = (x, y)
        else:
            aim = (tail_x, tail_y)
    ways = [("RIGHT", 1, 0), ("DOWN", 0, 1), ("LEFT", -1, 0), ("UP", 0, -1)]
    cells = [(word, own[0] + dx, own[1] + dy) for word, dx, dy in ways]
    free = [
        (abs(x - aim[0]) + abs(y - aim[1]), word)
        for word, x, y in cells
        if 0 <= x < 30 and 0 <= y < 20 and (x, y) not in taken
    ]
    print(min(free)[1] if free else "UP", flush=True)
