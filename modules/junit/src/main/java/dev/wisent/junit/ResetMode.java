package dev.wisent.junit;

/** When the servers are emptied; see {@link dev.wisent.Wisent#reset()}. */
public enum ResetMode {
  /** Before each test, also of what {@code @BeforeAll} methods have written. */
  EACH_TEST,
  /** Before the first test of the class, and before its {@code @BeforeAll} methods. */
  EACH_CLASS
}
