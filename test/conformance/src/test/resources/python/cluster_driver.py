"""PyMongo on a sharded cluster. Run as: python3 cluster_driver.py URI"""

import sys

import gridfs
import pymongo
from pymongo import InsertOne, MongoClient, UpdateOne, WriteConcern


def main(uri):
    client = MongoClient(uri, serverSelectionTimeoutMS=60_000)
    assert client.admin.command("isMaster")["msg"] == "isdbgrid"
    name = "python_cluster_tests"
    client.drop_database(name)
    db = client[name]
    client.admin.command("enableSharding", name)
    client.admin.command("shardCollection", name + ".people", key={"_id": "hashed"})
    people = db.people
    people.insert_many([{"_id": i, "n": i % 10} for i in range(300)])
    assert people.count_documents({"n": 4}) == 30
    assert people.update_many({"n": 4}, {"$set": {"four": True}}).modified_count == 30
    assert people.find_one_and_update({"_id": 7}, {"$inc": {"n": 1}})["n"] == 7
    result = people.bulk_write(
        [InsertOne({"_id": 1000 + i}) for i in range(50)]
        + [UpdateOne({"_id": i}, {"$set": {"bulk": True}}) for i in range(50)],
        ordered=False,
    )
    assert (result.inserted_count, result.modified_count) == (50, 50)
    ordered = [each["_id"] for each in people.find().sort("_id", pymongo.ASCENDING).batch_size(20)]
    assert ordered == list(range(300)) + list(range(1000, 1050))
    groups = people.aggregate([{"$match": {"n": {"$lt": 3}}}, {"$group": {"_id": "$n", "all": {"$sum": 1}}}, {"$sort": {"_id": 1}}])
    assert [each["all"] for each in groups] == [30, 30, 30]
    people.create_index("n")
    assert "n_1" in people.index_information()

    files = gridfs.GridFS(db)
    content = b"wisent" * 100_000
    stored = files.put(content, filename="a")
    assert files.get(stored).read() == content

    accounts = db.get_collection("accounts", write_concern=WriteConcern("majority"))
    accounts.insert_one({"_id": 0})
    with client.start_session() as session, session.start_transaction():
        accounts.insert_one({"_id": 1}, session=session)
        accounts.insert_one({"_id": 2}, session=session)
    assert accounts.count_documents({}) == 3

    assert name in client.list_database_names()
    client.drop_database(name)
    assert name not in client.list_database_names()
    print("pymongo", pymongo.version, "passed")


main(sys.argv[1])
