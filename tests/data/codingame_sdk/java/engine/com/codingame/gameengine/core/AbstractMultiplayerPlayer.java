package com.codingame.gameengine.core;

/** Player of a game with opponents. */
public abstract class AbstractMultiplayerPlayer extends AbstractPlayer {
    private boolean isActive = true;

    public boolean isActive() {
        return isActive;
    }

    public void setScore(int score) {
        this.score = score;
    }

    public void deactivate(String reason) {
        isActive = false;
        manager.addTooltip(index, reason);
    }
}
