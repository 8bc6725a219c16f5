package dev.wisent.replication.raft;
