// Checks of a script that is run in Node: check() for each, run() behind them.
'use strict';

const { MongoClient } = require('mongodb');

const checks = [];

exports.check = (name, body) => checks.push({ name, body });

/** Runs all checks, each with the same database and client, and says how they went. */
exports.run = (uri, database, serverSelectionTimeoutMS) => {
  runAll(uri, database, serverSelectionTimeoutMS).catch((e) => {
    console.error(e);
    process.exitCode = 1;
  });
};

async function runAll(uri, database, serverSelectionTimeoutMS) {
  let failed = 0;
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS });
  try {
    const db = client.db(database);
    await db.dropDatabase();
    for (const { name, body } of checks) {
      try {
        await body(db, client);
        console.log(`ok - ${name}`);
      } catch (e) {
        failed++;
        console.log(`FAILED - ${name}: ${e.stack}`);
      }
    }
    await db.dropDatabase();
  } finally {
    await client.close();
  }
  console.log(`${checks.length - failed} checks passed, ${failed} failed`);
  if (failed > 0) {
    process.exitCode = 1;
  }
}
