/**
 * Users and roles: the commands that change and show them ({@link
 * dev.wisent.server.user.UserTable}), the collections {@code admin.system.users} and {@code
 * admin.system.roles} that have them in MongoDB's form, and {@link
 * dev.wisent.server.user.StoredUsers}, which knows those that are in use. Everything reads and
 * writes through {@code Operations}, so that it is the same on a node and on a router, whose
 * database {@code admin} is on the config servers.
 *
 * <p>Thread-safe. Changes on one node follow each other.
 */
package dev.wisent.server.user;
