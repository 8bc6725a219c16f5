package dev.wisent.conformance.pages;

/** What a block has printed, and whether it has failed. */
record Printed(String text, boolean failed) {}
