// How many transactions hold the writers' lock.
SHOW TRANSACTIONS YIELD metaData WHERE metaData.medkg = 'writer' RETURN count(*) AS writers
