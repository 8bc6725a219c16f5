/** What an administrator says about a replica set: parsed, checked and compared. */
package dev.wisent.replication.config;
