## The athletes

athletes-about = Your athletes, with what they received in the period that you choose.
col-name = Name
col-year = Year
col-deals = Deals
col-received = Received
col-last = Last
athletes-csv = These athletes, CSV
athletes-excel = These athletes, Excel
