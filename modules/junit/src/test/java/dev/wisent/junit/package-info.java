/** The extension, by JUnit's own engine: as test classes see it, and with classes that fail. */
package dev.wisent.junit;
