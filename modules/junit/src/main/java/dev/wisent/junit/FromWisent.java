package dev.wisent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field or parameter of a class with {@link WisentTest} that gets the connection string (a {@code
 * String}), a {@code MongoClient} or the {@link dev.wisent.Wisent}.
 */
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FromWisent {}
