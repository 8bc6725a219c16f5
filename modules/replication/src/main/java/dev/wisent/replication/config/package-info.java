/**
 * What an administrator says about a replica set: read ({@link
 * dev.wisent.replication.config.ConfigReader}), checked by itself ({@link
 * dev.wisent.replication.config.ConfigRules}) and against the one before ({@link
 * dev.wisent.replication.config.ConfigChange}), and written ({@link
 * dev.wisent.replication.config.ConfigWriter}). Pure functions on values.
 */
package dev.wisent.replication.config;
