INSERT INTO college_transaction SELECT * FROM college_transaction_disclosed WHERE record_id BETWEEN $1 AND $2
