package com.codingame.gameengine.core;

/** Rules of a game. */
public abstract class AbstractReferee {
    public void init() {}

    public abstract void gameTurn(int turn) throws Exception;

    public void onEnd() {}
}
