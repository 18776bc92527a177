package com.codingame.gameengine.core;

import java.util.List;
import java.util.stream.Collectors;

/** One game with opponents. */
public class MultiplayerGameManager<T extends AbstractMultiplayerPlayer> extends GameManager<T> {
    public List<T> getPlayers() {
        return players;
    }

    public List<T> getActivePlayers() {
        return players.stream().filter(T::isActive).collect(Collectors.toList());
    }

    public void endGame() {
        end();
    }
}
