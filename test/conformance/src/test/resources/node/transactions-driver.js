// Transactions and change streams with the Node.js driver on a replica set.
// Run as: node transactions-driver.js URI DASHBOARD, with the package 'mongodb' on NODE_PATH.
'use strict';

const assert = require('assert');
const { check, run } = require('./node-checks.js');

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } };

// Collections and indexes are created in transactions of this level only.
const LOCAL = { readConcern: { level: 'local' }, writeConcern: { w: 'majority' } };

check('withTransaction commits', async (db, client) => {
  await db.createCollection('stock');
  await db.createCollection('sales');
  await db.collection('stock').insertOne({ _id: 'honey', left: 3 });
  const sold = await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('stock').updateOne({ _id: 'honey' }, { $inc: { left: -1 } }, { session });
      await db.collection('sales').insertOne({ _id: 1, product: 'honey' }, { session });
      assert.strictEqual(await db.collection('sales').countDocuments({}), 0, 'nothing is seen outside');
      return db.collection('sales').countDocuments({}, { session });
    }, OPTIONS),
  );
  assert.strictEqual(sold, 1);
  assert.deepStrictEqual(await db.collection('stock').findOne(), { _id: 'honey', left: 2 });
  assert.strictEqual(await db.collection('sales').countDocuments(), 1);
});

check('an error in the callback aborts', async (db, client) => {
  await assert.rejects(
    client.withSession((session) =>
      session.withTransaction(async () => {
        await db.collection('sales').insertOne({ _id: 2 }, { session });
        throw new Error('changed our mind');
      }, OPTIONS),
    ),
    /changed our mind/,
  );
  assert.strictEqual(await db.collection('sales').countDocuments(), 1);
});

check('collections are created inside', async (db, client) => {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('implicit').insertOne({ _id: 1 }, { session });
      await db.createCollection('explicit', { session });
      await db.collection('explicit').createIndex({ a: 1 }, { session });
    }, LOCAL),
  );
  assert.strictEqual(await db.collection('implicit').countDocuments(), 1);
  assert.deepStrictEqual((await db.collection('explicit').indexes()).map((i) => i.name), ['_id_', 'a_1']);
});

check('the first writer wins', async (db, client) => {
  const stock = db.collection('stock');
  const first = client.startSession();
  const second = client.startSession();
  first.startTransaction(OPTIONS);
  second.startTransaction(OPTIONS);
  await stock.updateOne({ _id: 'honey' }, { $inc: { left: 10 } }, { session: first });
  const error = await stock.updateOne({ _id: 'honey' }, { $inc: { left: 5 } }, { session: second }).then(
    () => assert.fail('two writers of one document'),
    (e) => e,
  );
  assert.strictEqual(error.code, 112);
  assert.ok(error.hasErrorLabel('TransientTransactionError'));
  await first.commitTransaction();
  await second.abortTransaction();
  await first.endSession();
  await second.endSession();
  assert.strictEqual((await stock.findOne({ _id: 'honey' })).left, 12);
});

check('16 clients on 10 hot documents', async (db, client) => {
  const hot = db.collection('hot');
  await hot.insertMany([...Array(10).keys()].map((_id) => ({ _id, n: 0 })));
  let moved = 0;
  await Promise.all(
    [...Array(16).keys()].map((i) =>
      client.withSession(async (session) => {
        for (let round = 0; round < 5; round++) {
          const from = (i + round) % 10;
          const to = (i * 3 + round * 7 + 1) % 10;
          await session.withTransaction(async () => {
            await hot.updateOne({ _id: from }, { $inc: { n: -1 } }, { session });
            await hot.updateOne({ _id: to }, { $inc: { n: 1 } }, { session });
            await hot.updateOne({ _id: 0 }, { $inc: { total: 1 } }, { session });
          }, OPTIONS);
          moved++;
        }
      }),
    ),
  );
  const documents = await hot.find().toArray();
  assert.strictEqual(moved, 80);
  assert.strictEqual(documents.reduce((sum, { n }) => sum + n, 0), 0);
  assert.strictEqual(documents.find(({ _id }) => _id === 0).total, 80);
});

check('a change stream delivers a transaction in one piece', async (db, client) => {
  await db.createCollection('watched');
  const stream = db.watch([], { fullDocument: 'updateLookup' });
  await stream.tryNext();
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('watched').insertMany([{ _id: 1 }, { _id: 2 }], { session });
      await db.collection('watched').updateOne({ _id: 1 }, { $set: { a: 1 } }, { session });
      await db.collection('watched').deleteOne({ _id: 2 }, { session });
    }, OPTIONS),
  );
  const events = [];
  while (events.length < 4) {
    events.push(await stream.next());
  }
  assert.deepStrictEqual(events.map((e) => e.operationType), ['insert', 'insert', 'update', 'delete']);
  assert.deepStrictEqual(events[2].fullDocument, { _id: 1, a: 1 });
  assert.strictEqual(new Set(events.map((e) => e.clusterTime.toString())).size, 1);
  assert.strictEqual(new Set(events.map((e) => `${e.lsid.id.toString('hex')} ${e.txnNumber}`)).size, 1);
  await stream.close();

  const resumed = db.watch([], { resumeAfter: events[1]._id });
  assert.strictEqual((await resumed.next()).operationType, 'update');
  await resumed.close();
});

check('the dashboard of the examples follows the orders', async (db, client) => {
  const { start } = require(process.argv[3]);
  const orders = client.db('shop').collection('orders');
  await client.db('shop').dropDatabase();
  await orders.insertMany([{ product: 'bread', cents: 300 }, { product: 'honey', cents: 700 }]);
  const dashboard = await start(process.argv[2], 0);
  try {
    const page = await (await fetch(`http://localhost:${dashboard.port}/`)).text();
    assert.match(page, /EventSource\('\/events'\)/);
    const response = await fetch(`http://localhost:${dashboard.port}/events`);
    const rows = rowsOf(response.body.getReader());
    assert.deepStrictEqual((await rows.next()).value, [
      { product: 'honey', orders: 1, cents: 700 },
      { product: 'bread', orders: 1, cents: 300 },
    ]);
    await orders.insertOne({ product: 'bread', cents: 500 });
    assert.deepStrictEqual((await rows.next()).value, [
      { product: 'bread', orders: 2, cents: 800 },
      { product: 'honey', orders: 1, cents: 700 },
    ]);
  } finally {
    await dashboard.close();
    await client.db('shop').dropDatabase();
  }
});

/** The data of server-sent events. */
async function* rowsOf(reader) {
  let text = '';
  for (;;) {
    const end = text.indexOf('\n\n');
    if (end >= 0) {
      yield JSON.parse(text.slice('data: '.length, end));
      text = text.slice(end + 2);
    } else {
      const { value, done } = await reader.read();
      if (done) return;
      text += Buffer.from(value).toString();
    }
  }
}

run(process.argv[2], 'node_transaction_tests', 30_000);
