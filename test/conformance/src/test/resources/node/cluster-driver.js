// The Node.js driver on a sharded cluster with two routers: what one of them does, the other sees.
// Run as: node cluster-driver.js URI, with the package 'mongodb' on NODE_PATH.
'use strict';

const assert = require('assert');
const { GridFSBucket, MongoClient } = require('mongodb');
const { check, run } = require('./node-checks.js');

/** One client for each router of the URI. */
async function eachRouter(body) {
  const hosts = process.argv[2].replace('mongodb://', '').replace(/\/.*/, '').split(',');
  assert.strictEqual(hosts.length, 2);
  const clients = hosts.map((host) => new MongoClient(`mongodb://${host}/`));
  try {
    await body(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

const shard = (client, ns, key) => client.db('admin').command({ shardCollection: ns, key });

check('crud on a sharded collection', async (db, client) => {
  await shard(client, `${db.databaseName}.people`, { _id: 'hashed' });
  const people = db.collection('people');
  await people.insertMany(Array.from({ length: 300 }, (unused, i) => ({ _id: i, n: i % 10 })));
  assert.strictEqual(await people.countDocuments({ n: 4 }), 30);
  assert.strictEqual((await people.updateMany({ n: 4 }, { $set: { four: true } })).modifiedCount, 30);
  assert.strictEqual((await people.findOneAndUpdate({ _id: 7 }, { $inc: { n: 1 } }, { returnDocument: 'after' })).n, 8);
  assert.strictEqual((await people.deleteMany({ _id: { $gte: 290 } })).deletedCount, 10);
  const ids = (await people.find().sort({ _id: 1 }).batchSize(20).toArray()).map((each) => each._id);
  assert.deepStrictEqual(ids, Array.from({ length: 290 }, (unused, i) => i));
  assert.deepStrictEqual((await people.distinct('n')).sort((a, b) => a - b), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

check('a bulk write', async (db) => {
  const result = await db.collection('people').bulkWrite(
    Array.from({ length: 100 }, (unused, i) => ({
      updateOne: { filter: { _id: 1000 + i }, update: { $set: { bulk: true } }, upsert: true },
    })),
    { ordered: false },
  );
  assert.strictEqual(result.upsertedCount, 100);
  assert.strictEqual(await db.collection('people').countDocuments({ bulk: true }), 100);
});

check('a cursor that is left is ended', async (db) => {
  const cursor = db.collection('people').find().batchSize(10);
  await cursor.next();
  await cursor.close();
});

check('aggregation with a join', async (db) => {
  await db.collection('teams').insertMany([{ _id: 1, member: 3 }, { _id: 2, member: 5 }]);
  const joined = await db.collection('teams').aggregate([
    { $lookup: { from: 'people', localField: 'member', foreignField: '_id', as: 'who' } },
    { $sort: { _id: 1 } },
  ]).toArray();
  assert.deepStrictEqual(joined.map((each) => each.who[0].n), [3, 5]);
});

check('GridFS', async (db, client) => {
  await shard(client, `${db.databaseName}.files.chunks`, { files_id: 1, n: 1 });
  const bucket = new GridFSBucket(db, { bucketName: 'files', chunkSizeBytes: 1024 });
  const bytes = Buffer.alloc(100_000, 'wisent');
  await new Promise((resolve, reject) => {
    bucket.openUploadStream('a').on('error', reject).on('finish', resolve).end(bytes);
  });
  const read = [];
  for await (const chunk of bucket.openDownloadStreamByName('a')) {
    read.push(chunk);
  }
  assert.ok(Buffer.concat(read).equals(bytes));
});

check('a transaction on one shard', async (db, client) => {
  await db.createCollection('accounts');
  await client.withSession((session) => session.withTransaction(async () => {
    await db.collection('accounts').insertOne({ _id: 'a', sum: 1 }, { session });
    await db.collection('accounts').insertOne({ _id: 'b', sum: 2 }, { session });
  }));
  assert.strictEqual(await db.collection('accounts').countDocuments(), 2);
});

check('a change stream of an unsharded collection', async (db) => {
  const stream = db.collection('accounts').watch();
  const next = stream.next();
  const write = setInterval(() => db.collection('accounts').insertOne({ c: 1 }).catch(() => {}), 200);
  try {
    assert.strictEqual((await next).operationType, 'insert');
  } finally {
    clearInterval(write);
    await stream.close();
  }
});

check('both routers see what the other one defines', async (db) => {
  await eachRouter(async (first, second) => {
    const name = db.databaseName;
    const here = first.db(name);
    const there = second.db(name);
    await shard(first, `${name}.both`, { _id: 'hashed' });
    await there.collection('both').insertMany(Array.from({ length: 50 }, (unused, i) => ({ _id: i, x: i })));
    assert.strictEqual(await here.collection('both').countDocuments(), 50);
    await there.collection('both').createIndex({ x: 1 });
    assert.ok((await here.collection('both').indexes()).some((index) => index.name === 'x_1'));
    await first.db('admin').command({ split: `${name}.both`, middle: { _id: 1n } }).catch(() => {});
    assert.strictEqual(await there.collection('both').countDocuments({ x: { $lt: 10 } }), 10);
    await here.collection('both').drop();
    assert.strictEqual(await there.collection('both').countDocuments(), 0);
    await there.collection('both').insertOne({ _id: 1 });
    assert.strictEqual(await here.collection('both').countDocuments(), 1);
    await shard(second, `${name}.again`, { x: 1 });
    await here.collection('again').insertOne({ x: 1 });
    await here.dropDatabase();
    assert.deepStrictEqual(await there.listCollections().toArray(), []);
    await there.collection('again').insertOne({ x: 2 });
    assert.strictEqual(await here.collection('again').countDocuments(), 1);
  });
});

run(process.argv[2], 'node_cluster_tests', 60_000);
