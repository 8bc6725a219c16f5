package dev.wisent.operation;

/** A wait that can be begun again; false when the time was over before its end. */
@FunctionalInterface
public interface InterruptibleWait {
  boolean await(long timeoutNanos) throws InterruptedException;
}
