// The Node.js driver: CRUD, bulk writes, cursors, streaming, GridFS.
// Run as: node node-driver.js URI, with the package 'mongodb' on NODE_PATH.
'use strict';

const assert = require('assert');
const { once } = require('events');
const { Readable, Writable } = require('stream');
const { pipeline } = require('stream/promises');
const { GridFSBucket, Long } = require('mongodb');
const { check, run } = require('./node-checks.js');

check('crud', async (db) => {
  const people = db.collection('people');
  const { insertedId } = await people.insertOne({ name: 'Ada', born: 1815 });
  assert.ok(insertedId);
  const { insertedCount } = await people.insertMany([
    { name: 'Grace', born: 1906 },
    { name: 'Edsger', born: 1930 },
  ]);
  assert.strictEqual(insertedCount, 2);
  assert.strictEqual((await people.findOne({ name: 'Ada' })).born, 1815);
  const update = await people.updateMany({ born: { $gte: 1900 } }, { $inc: { born: 1 } });
  assert.strictEqual(update.modifiedCount, 2);
  const before = await people.findOneAndUpdate({ name: 'Grace' }, { $set: { navy: true } });
  assert.strictEqual(before.navy, undefined);
  assert.strictEqual(await people.countDocuments({ navy: true }), 1);
  assert.deepStrictEqual((await people.distinct('born')).sort(), [1815, 1907, 1931]);
  assert.strictEqual((await people.deleteMany({ born: { $lt: 1920 } })).deletedCount, 2);
  assert.strictEqual(await people.estimatedDocumentCount(), 1);
});

check('types survive a round trip', async (db) => {
  const document = {
    _id: 1,
    long: Long.fromString('9007199254740993'),
    date: new Date(0),
    binary: Buffer.from([1, 2, 3]),
    nested: { array: [1, 'two', null, { three: 3 }] },
    regex: /^a.*b$/i,
  };
  await db.collection('types').insertOne(document);
  const found = await db.collection('types').findOne({ _id: 1 }, { promoteLongs: false });
  assert.strictEqual(found.long.toString(), '9007199254740993');
  assert.strictEqual(found.date.getTime(), 0);
  assert.deepStrictEqual([...found.binary.buffer], [1, 2, 3]);
  assert.strictEqual(found.nested.array[2], null);
  assert.strictEqual(found.regex.source, '^a.*b$');
});

check('bulkWrite', async (db) => {
  const items = db.collection('items');
  const result = await items.bulkWrite([
    { insertOne: { document: { _id: 1, n: 1 } } },
    { insertOne: { document: { _id: 2, n: 2 } } },
    { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 10 } } } },
    { updateOne: { filter: { _id: 3 }, update: { $set: { n: 3 } }, upsert: true } },
    { replaceOne: { filter: { _id: 2 }, replacement: { n: 20 } } },
    { deleteOne: { filter: { _id: 3 } } },
  ]);
  assert.strictEqual(result.insertedCount, 2);
  assert.strictEqual(result.matchedCount, 2);
  assert.strictEqual(result.upsertedCount, 1);
  assert.strictEqual(result.deletedCount, 1);
  assert.deepStrictEqual(await items.find().sort({ _id: 1 }).toArray(), [
    { _id: 1, n: 11 },
    { _id: 2, n: 20 },
  ]);
  const failure = await items
    .bulkWrite([{ insertOne: { document: { _id: 1 } } }, { insertOne: { document: { _id: 4 } } }], { ordered: false })
    .then(() => undefined, (e) => e);
  assert.strictEqual(failure.code, 11000);
  assert.strictEqual(failure.result.insertedCount, 1);
});

check('client bulkWrite over two collections', async (db, client) => {
  const result = await client.bulkWrite(
    [
      { name: 'insertOne', namespace: `${db.databaseName}.left`, document: { _id: 1 } },
      { name: 'insertOne', namespace: `${db.databaseName}.right`, document: { _id: 1 } },
      { name: 'updateOne', namespace: `${db.databaseName}.left`, filter: { _id: 1 }, update: { $set: { x: 1 } } },
    ],
    { verboseResults: true },
  );
  assert.strictEqual(result.insertedCount, 2);
  assert.strictEqual(result.modifiedCount, 1);
  assert.deepStrictEqual(await db.collection('left').findOne(), { _id: 1, x: 1 });
});

function isSharded(figures) {
  return figures.length > 1;
}

check('cursors over several batches', async (db) => {
  const numbers = db.collection('numbers');
  await numbers.insertMany(Array.from({ length: 2500 }, (_, i) => ({ _id: i })));
  const ids = [];
  for await (const document of numbers.find().batchSize(100)) {
    ids.push(document._id);
  }
  const inOrder = (left, right) => left - right;
  // Several shards give their documents in any order.
  assert.deepStrictEqual(
    isSharded(await numbers.aggregate([{ $collStats: {} }]).toArray()) ? ids.sort(inOrder) : ids,
    Array.from({ length: 2500 }, (_, i) => i),
  );
  const cursor = numbers.find({ _id: { $gte: 10 } }).sort({ _id: -1 }).limit(250).batchSize(30);
  assert.strictEqual((await cursor.toArray()).at(-1)._id, 2250);
});

check('cursor as a stream', async (db) => {
  const stream = db.collection('numbers').find().stream();
  let sum = 0;
  stream.on('data', (document) => (sum += document._id));
  await once(stream, 'end');
  assert.strictEqual(sum, (2499 * 2500) / 2);
});

check('indexes and unique violation', async (db) => {
  const users = db.collection('users');
  assert.strictEqual(await users.createIndex({ email: 1 }, { unique: true }), 'email_1');
  await users.insertOne({ email: 'ada@example.org' });
  const failure = await users.insertOne({ email: 'ada@example.org' }).then(() => undefined, (e) => e);
  assert.strictEqual(failure.code, 11000);
  assert.deepStrictEqual(failure.keyPattern, { email: 1 });
  assert.deepStrictEqual(failure.keyValue, { email: 'ada@example.org' });
  assert.strictEqual(await users.indexExists('email_1'), true);
});

check('tailable cursor', async (db) => {
  const log = await db.createCollection('log', { capped: true, size: 65536 });
  await log.insertOne({ n: 0 });
  const cursor = log.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 5000 });
  assert.strictEqual((await cursor.next()).n, 0);
  const waiting = cursor.next();
  await log.insertOne({ n: 1 });
  assert.strictEqual((await waiting).n, 1);
  await cursor.close();
});

check('GridFS upload, download, rename, delete', async (db) => {
  const bucket = new GridFSBucket(db, { bucketName: 'files', chunkSizeBytes: 8 * 1024 });
  const content = Buffer.alloc(1024 * 1024 + 5, (i) => i).map((_, i) => (i * 31) % 251);
  const upload = bucket.openUploadStream('film.bin', { metadata: { kind: 'film' } });
  await pipeline(Readable.from([content.subarray(0, 100_000), content.subarray(100_000)]), upload);
  assert.strictEqual(await db.collection('files.chunks').countDocuments(), Math.ceil(content.length / (8 * 1024)));

  const received = [];
  const collect = new Writable({
    write(chunk, encoding, done) {
      received.push(chunk);
      done();
    },
  });
  await pipeline(bucket.openDownloadStreamByName('film.bin'), collect);
  assert.ok(Buffer.concat(received).equals(content));

  const part = [];
  for await (const chunk of bucket.openDownloadStream(upload.id, { start: 10_000, end: 30_000 })) {
    part.push(chunk);
  }
  assert.ok(Buffer.concat(part).equals(content.subarray(10_000, 30_000)));

  await bucket.rename(upload.id, 'movie.bin');
  assert.strictEqual((await bucket.find({ filename: 'movie.bin' }).toArray())[0].metadata.kind, 'film');
  await bucket.delete(upload.id);
  assert.strictEqual(await db.collection('files.chunks').countDocuments(), 0);
});

check('sessions', async (db, client) => {
  await client.withSession(async (session) => {
    await db.collection('sessions').insertOne({ _id: 1 }, { session });
    assert.ok(await db.collection('sessions').findOne({ _id: 1 }, { session }));
  });
});

check('many operations at once', async (db) => {
  const counters = db.collection('counters');
  await counters.insertOne({ _id: 1, n: 0 });
  await Promise.all(Array.from({ length: 300 }, () => counters.updateOne({ _id: 1 }, { $inc: { n: 1 } })));
  assert.strictEqual((await counters.findOne({ _id: 1 })).n, 300);
});

run(process.argv[2], 'node_tests', 10_000);
