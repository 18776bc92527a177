package com.codingame.game;

import com.codingame.gameengine.core.AbstractMultiplayerPlayer;

public class Player extends AbstractMultiplayerPlayer {
    int stones;

    @Override
    public int getExpectedOutputLines() {
        return 1;
    }
}
