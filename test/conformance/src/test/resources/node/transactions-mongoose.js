// Transactions and change streams with Mongoose on a replica set.
// Run as: node transactions-mongoose.js URI, with the package 'mongoose' on NODE_PATH.
'use strict';

const assert = require('assert');
const mongoose = require('mongoose');
const { check, run } = require('./node-checks.js');

const Account = mongoose.model('Account', new mongoose.Schema({ owner: { type: String, unique: true }, cents: Number }));
const Note = mongoose.model('Note', new mongoose.Schema({ text: { type: String, required: true } }));

const byOwner = async (session) =>
  Object.fromEntries((await Account.find().session(session)).map(({ owner, cents }) => [owner, cents]));

check('connect', async (db) => {
  await mongoose.connect(process.argv[2], { dbName: db.databaseName });
  await Account.init();
  await Account.create([{ owner: 'ada', cents: 100 }, { owner: 'ben', cents: 50 }]);
  await Note.createCollection();
});

check('connection.transaction saves documents', async () => {
  await mongoose.connection.transaction(async (session) => {
    const [ada, ben] = await Account.find().sort('owner').session(session);
    ada.cents -= 30;
    ben.cents += 30;
    await ada.save({ session });
    await ben.save({ session });
    await Note.create([{ text: 'ada pays ben' }], { session });
    assert.deepStrictEqual(await byOwner(null), { ada: 100, ben: 50 });
  });
  assert.deepStrictEqual(await byOwner(null), { ada: 70, ben: 80 });
  assert.strictEqual(await Note.countDocuments(), 1);
});

check('session.withTransaction aborts on a validation error', async () => {
  const session = await mongoose.startSession();
  await assert.rejects(
    session.withTransaction(async () => {
      await Account.updateOne({ owner: 'ada' }, { $inc: { cents: -70 } }, { session });
      assert.deepStrictEqual(await byOwner(session), { ada: 0, ben: 80 });
      await Note.create([{}], { session });
    }),
    { name: 'ValidationError' },
  );
  await session.endSession();
  assert.deepStrictEqual(await byOwner(null), { ada: 70, ben: 80 });
});

check('a duplicate key aborts', async () => {
  const session = await mongoose.startSession();
  await assert.rejects(
    session.withTransaction(async () => {
      await Note.create([{ text: 'a new account' }], { session });
      await Account.create([{ owner: 'ada', cents: 1 }], { session });
    }),
    { code: 11000 },
  );
  await session.endSession();
  assert.strictEqual(await Note.countDocuments(), 1);
});

check('withTransaction under contention', async () => {
  await Promise.all(
    [...Array(8).keys()].map(async () => {
      const session = await mongoose.startSession();
      for (let i = 0; i < 5; i++) {
        await session.withTransaction(async () => {
          const ada = await Account.findOne({ owner: 'ada' }).session(session);
          const ben = await Account.findOne({ owner: 'ben' }).session(session);
          ada.cents -= 1;
          ben.cents += 1;
          await ada.save({ session });
          await ben.save({ session });
        });
      }
      await session.endSession();
    }),
  );
  assert.deepStrictEqual(await byOwner(null), { ada: 30, ben: 120 });
});

check('Model.watch', async () => {
  const stream = Note.watch([{ $match: { operationType: 'insert' } }]);
  const event = new Promise((resolve, reject) => stream.on('change', resolve).on('error', reject));
  await new Promise((resolve) => stream.once('ready', resolve));
  // The stream begins when the server has opened it, which no event tells of: write until it does.
  let seen;
  event.then((e) => (seen = e));
  for (let i = 0; !seen; i++) {
    await Note.create([{ text: `note ${i}` }]);
  }
  assert.match(seen.fullDocument.text, /^note /);
  await stream.close();
});

check('disconnect', () => mongoose.disconnect());

run(process.argv[2], 'mongoose_transaction_tests', 30_000);
