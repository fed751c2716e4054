// End the transaction that has this mark.
SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.medkg = $mark
TERMINATE TRANSACTIONS id YIELD message
RETURN message
