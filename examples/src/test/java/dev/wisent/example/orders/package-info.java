/** What tests with {@code @WisentTest} look like; docs/testing.md shows them. */
package dev.wisent.example.orders;
