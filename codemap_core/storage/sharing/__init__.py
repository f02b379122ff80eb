"""What outlives an index and may be shared: units of analysed files, and indexes that machines share."""
