package dev.wisent.server.command;

import dev.wisent.server.privilege.Privilege;
import java.util.Set;

/**
 * Where a command exists and what it takes to run it there. These columns have no defaults: every
 * row of the command table gives them.
 *
 * @param roles the nodes that have the command
 * @param api the versions of the stable API that have it
 * @param privilege what a client must be allowed to do
 * @param transaction what the command may be in a transaction
 */
public record CommandScope(
    Set<NodeRole> roles, ApiVersions api, Privilege privilege, TransactionUse transaction) {}
