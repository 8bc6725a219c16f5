/** Storage. */
package dev.wisent.storage;
