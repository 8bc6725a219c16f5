// Writers of the Node.js driver while the primary steps down again and again: no error reaches them.
// Run as: node step-downs.js URI COUNT, with the package 'mongodb' on NODE_PATH.
'use strict';

const assert = require('assert');
const { check, run } = require('./node-checks.js');

const WRITERS = 8;
const PATIENCE_MILLIS = 120_000;
const rounds = Number(process.argv[3]);

async function stepDown(client) {
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const host = (await client.db('admin').command({ hello: 1 })).me;
    try {
      await client.db('admin').command({ replSetStepDown: 11, secondaryCatchUpPeriodSecs: 10 });
      return host;
    } catch (e) {
      // No secondary has caught up yet, or another member leads already.
      assert.ok(Date.now() < deadline, `a step-down: ${e}`);
    }
  }
}

check('writers go on through step-downs, each write exactly once', async (db, client) => {
  const counters = db.collection('counters');
  const entries = db.collection('entries');
  await counters.insertMany([...Array(WRITERS).keys()].map((_id) => ({ _id, n: 0 })));
  const done = Array(WRITERS).fill(0);
  const errors = [];
  let stop = false;
  const writers = done.map(async (_, writer) => {
    while (!stop) {
      try {
        await counters.updateOne({ _id: writer }, { $inc: { n: 1 } });
        await entries.insertOne({ _id: `${writer}-${done[writer]}` });
        done[writer]++;
      } catch (e) {
        errors.push(`${new Date().toISOString()} ${e.name} ${e.code} ${e.message}`);
        stop = true;
      }
    }
  });
  for (let round = 0; round < rounds && !stop; round++) {
    const old = await stepDown(client);
    // The second round of each writer begins after the step-down: no write that met it is left.
    const goal = done.map((n) => n + 2);
    const deadline = Date.now() + PATIENCE_MILLIS;
    while (!stop && done.some((n, writer) => n < goal[writer])) {
      assert.ok(Date.now() < deadline, `writers go on after step-down ${round} of ${old}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  stop = true;
  await Promise.all(writers);
  assert.deepStrictEqual(errors, []);
  for (let writer = 0; writer < WRITERS; writer++) {
    assert.strictEqual((await counters.findOne({ _id: writer })).n, done[writer]);
  }
  assert.strictEqual(await entries.countDocuments(), done.reduce((a, b) => a + b, 0));
});

run(process.argv[2], 'node_step_downs', PATIENCE_MILLIS);
