/**
 * Tests of Spring Boot programs on a Wisent inside their JVM.
 *
 * <p>{@link dev.wisent.springboot.AutoConfigureWisent} on a test class adds a {@link
 * dev.wisent.Wisent} to its application context, and the connection details of it, which Spring
 * Boot's own configuration of the driver and of Spring Data then uses. A context belongs to one
 * test at a time, as Spring has it.
 */
package dev.wisent.springboot;
