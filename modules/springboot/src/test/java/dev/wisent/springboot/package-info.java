/** Spring Boot's tests on embedded servers. */
package dev.wisent.springboot;
