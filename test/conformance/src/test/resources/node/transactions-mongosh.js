// Transactions and change streams as they are tried by hand. Run as: mongosh URI transactions-mongosh.js
const assert = require('assert');

const shell = db.getSiblingDB('mongosh_transaction_tests');
load(`${__dirname}/mongosh-checks.js`);

shell.dropDatabase();
shell.accounts.insertMany([{ _id: 'ada', cents: 100 }, { _id: 'ben', cents: 20 }]);

const balances = (database) => database.accounts.find().sort({ _id: 1 }).toArray().map(({ cents }) => cents);

check('a transaction step by step', () => {
  const session = db.getMongo().startSession();
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  const inside = session.getDatabase(shell.getName());
  inside.accounts.updateOne({ _id: 'ada' }, { $inc: { cents: -30 } });
  inside.accounts.updateOne({ _id: 'ben' }, { $inc: { cents: 30 } });
  same(balances(inside), [70, 50]);
  same(balances(shell), [100, 20]);
  session.commitTransaction();
  session.commitTransaction();
  same(balances(shell), [70, 50]);
  session.endSession();
});

check('abortTransaction', () => {
  const session = db.getMongo().startSession();
  session.startTransaction();
  session.getDatabase(shell.getName()).accounts.deleteMany({});
  session.abortTransaction();
  same(balances(shell), [70, 50]);
  session.endSession();
});

check('what a transaction refuses', () => {
  const session = db.getMongo().startSession();
  session.startTransaction();
  const inside = session.getDatabase(shell.getName());
  let refusal;
  try {
    inside.runCommand({ count: 'accounts' });
  } catch (e) {
    refusal = e.codeName;
  }
  assert.strictEqual(refusal, 'OperationNotSupportedInTransaction');
  session.abortTransaction();
  session.endSession();
});

check('an open transaction is shown', () => {
  const session = db.getMongo().startSession();
  session.startTransaction();
  session.getDatabase(shell.getName()).accounts.updateOne({ _id: 'ada' }, { $inc: { cents: 1 } });
  const open = db.getSiblingDB('admin').aggregate([
    { $currentOp: { idleSessions: true, allUsers: true } },
    { $match: { 'transaction.parameters': { $exists: true }, type: 'idleSession' } },
  ]).toArray();
  assert.ok(open.length >= 1, EJSON.stringify(open));
  assert.ok(Number(db.serverStatus().transactions.currentOpen) >= 1);
  session.abortTransaction();
  session.endSession();
});

check('watch()', () => {
  const stream = shell.accounts.watch();
  assert.strictEqual(stream.tryNext(), null);
  shell.accounts.updateOne({ _id: 'ben' }, { $set: { cents: 1 } });
  let event = stream.tryNext();
  for (const deadline = Date.now() + 60_000; event === null && Date.now() < deadline; ) {
    event = stream.tryNext();
  }
  assert.strictEqual(event.operationType, 'update');
  same(event.updateDescription.updatedFields, { cents: 1 });
  stream.close();
});

shell.dropDatabase();
report();
